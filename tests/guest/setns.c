/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_mount.h"

static void body(const char *folder)
{
    int original = open("/proc/1/ns/mnt", O_RDONLY);
    (void)folder;
    if (original < 0)
        return;
    CHECK(setns(original, CLONE_NEWNS) == 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_setns, original, CLONE_NEWNS) == 0);
}

int main(void)
{
    with_own_mounts(body);
    FAILS(EBADF, setns(-1, 0));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_setns, -1, 0) == -EBADF);
        CHECK(by(door, SYS_setns, open("/dev/null", O_RDONLY), 0) == -EINVAL);
    }
    return guest_end();
}
