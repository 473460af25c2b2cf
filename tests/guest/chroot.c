/* SPDX-License-Identifier: MIT */
#include "guest_mount.h"

static void body(const char *folder)
{
    CHECK(chroot(folder) == 0 && chdir("/") == 0);
    CHECK(access("/bin", F_OK) == -1);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_chroot, (long)"/") == 0);
}

int main(void)
{
    with_own_mounts(body);
    FAILS(ENOENT, chroot("/nonexistent"));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_chroot, (long)bad_pointer()) == -EFAULT);
    return guest_end();
}
