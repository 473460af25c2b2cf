/* SPDX-License-Identifier: MIT */
#include "guest_mount.h"

static void body(const char *folder)
{
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(mount("none", folder, "tmpfs", 0, NULL) == 0);
        CHECK(by(door, SYS_umount2, (long)folder, MNT_DETACH) == 0);
        CHECK(by(door, SYS_umount2, (long)folder, 0) == -EINVAL);
    }
}

int main(void)
{
    with_own_mounts(body);
    FAILS(ENOENT, umount2("/nonexistent", 0));
    FAILS(EINVAL, umount2("/", 0x10000));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_umount2, (long)bad_pointer(), 0) == -EFAULT);
    return guest_end();
}
