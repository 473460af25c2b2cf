/* SPDX-License-Identifier: MIT */
#include "guest_mount.h"

static void body(const char *folder)
{
    struct stat before;
    struct stat after;
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(stat(folder, &before) == 0);
        CHECK(by(door, SYS_mount, (long)"none", (long)folder, (long)"tmpfs", 0, 0) == 0);
        CHECK(stat(folder, &after) == 0 && after.st_dev != before.st_dev);
    }
}

int main(void)
{
    with_own_mounts(body);
    FAILS(ENOENT, mount("none", "/nonexistent", "tmpfs", 0, NULL));
    FAILS(EFAULT, mount("none", bad_pointer(), "tmpfs", 0, NULL));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_mount, 0, (long)"/nonexistent", 0, 0, 0) == -ENOENT);
    return guest_end();
}
