/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_mount.h"

static void body(const char *folder)
{
    CHECK(mount("none", folder, "tmpfs", 0, NULL) == 0);
    CHECK(mkdir("target", 0700) == 0 || errno == EEXIST);
    long tree = syscall(SYS_open_tree, AT_FDCWD, folder, OPEN_TREE_CLONE);
    CHECK(tree >= 0);
    CHECK(by(BY_INSTRUCTION, SYS_move_mount, tree, (long)"", AT_FDCWD, (long)"target",
             MOVE_MOUNT_F_EMPTY_PATH) == 0);
}

int main(void)
{
    with_own_mounts(body);
    rmdir("target");
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long result = by(door, SYS_move_mount, -1, (long)"", -1, (long)"", 0);
        CHECK(result == -ENOENT || result == -EPERM);
        result = by(door, SYS_move_mount, -1, 0, -1, 0, 0x8000);
        CHECK(result == -EINVAL || result == -EPERM);
    }
    return guest_end();
}
