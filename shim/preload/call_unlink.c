/* SPDX-License-Identifier: MIT */
/*
 * Names that go: a file's last one, or that of a file which another takes the place of. The kernel
 * may give such a file's number to the next one that is made; that one gets its own.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "calls.h"
#include "inodes.h"
#include "poison.h"
#include "real.h"

long call_unlink(const char *path)
{
    struct inodes_name name = inodes_look(AT_FDCWD, path);
    return inodes_removed(&name, real_result(REAL(unlink)(path)));
}

long call_unlinkat(int dir, const char *path, int flags)
{
    struct inodes_name name = inodes_look(dir, path);
    return inodes_removed(&name, real_result(REAL(unlinkat)(dir, path, flags)));
}

long call_rmdir(const char *path)
{
    struct inodes_name name = inodes_look(AT_FDCWD, path);
    return inodes_removed(&name, real_result(REAL(rmdir)(path)));
}

long libc_remove(const char *path)
{
    struct inodes_name name = inodes_look(AT_FDCWD, path);
    return inodes_removed(&name, real_result(REAL_LIBC(remove)(path)));
}

long call_rename(const char *from, const char *to)
{
    struct inodes_name name = inodes_look(AT_FDCWD, to);
    return inodes_replaced(&name, AT_FDCWD, to, real_result(REAL(rename)(from, to)));
}

long call_renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    struct inodes_name name = inodes_look(to_dir, to);
    return inodes_replaced(&name, to_dir, to,
                           real_result(REAL(renameat)(from_dir, from, to_dir, to)));
}

/* An exchange leaves both names. */
long call_renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    struct inodes_name name = {0};
    if (!(flags & RENAME_EXCHANGE))
        name = inodes_look(to_dir, to);
    return inodes_replaced(&name, to_dir, to,
                           real_result(REAL(renameat2)(from_dir, from, to_dir, to, flags)));
}
