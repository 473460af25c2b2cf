/* SPDX-License-Identifier: MIT */
#include "guest_mount.h"

static void body(const char *folder)
{
    CHECK(mount("none", folder, "tmpfs", 0, NULL) == 0 && chdir(folder) == 0);
    CHECK(mkdir("old", 0700) == 0);
    CHECK(by(BY_INSTRUCTION, SYS_pivot_root, (long)".", (long)"old") == 0);
    CHECK(chdir("/") == 0 && access("/old/bin", F_OK) == 0 && access("/bin", F_OK) == -1);
}

/* Where the root is the kernel's first file system there is nothing to pivot from. */
int main(void)
{
    with_own_mounts(body);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long result = by(door, SYS_pivot_root, (long)"/nonexistent", (long)"/nonexistent");
        CHECK(result == -ENOENT || result == -EPERM);
        result = by(door, SYS_pivot_root, (long)bad_pointer(), (long)"/");
        CHECK(result == -EFAULT || result == -EPERM);
    }
    return guest_end();
}
