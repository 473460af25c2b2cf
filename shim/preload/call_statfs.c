/* SPDX-License-Identifier: MIT */
/*
 * How full file systems are hangs on everybody else. Those that have a size have one TiB and 2^26
 * inodes, half of them free: a program that looks for room finds it, and one that counts what
 * its own files take up finds the same each time.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "calls.h"
#include "procfs.h"
#include "real.h"
#include "task.h"

#include "poison.h"

#define SIZE  (UINT64_C(1) << 40)
#define FILES (UINT64_C(1) << 26)

static bool is_answered(long result)
{
    return result == 0 && task_self() && !task_leaves_real(DETRUN_INODES);
}

static long shown(long result, struct statfs *st)
{
    if (!is_answered(result))
        return result;
    uint64_t unit = (uint64_t)(st->f_frsize > 0 ? st->f_frsize : st->f_bsize);
    if (st->f_blocks != 0 && unit != 0) {
        st->f_blocks = SIZE / unit;
        st->f_bfree = st->f_bavail = st->f_blocks / 2;
    }
    if (st->f_files != 0) {
        st->f_files = FILES;
        st->f_ffree = FILES / 2;
    }
    return 0;
}

static long shown_v(long result, struct statvfs *st)
{
    if (!is_answered(result))
        return result;
    if (st->f_blocks != 0 && st->f_frsize != 0) {
        st->f_blocks = SIZE / st->f_frsize;
        st->f_bfree = st->f_bavail = st->f_blocks / 2;
    }
    if (st->f_files != 0) {
        st->f_files = FILES;
        st->f_ffree = st->f_favail = FILES / 2;
    }
    return 0;
}

long call_statfs(const char *path, struct statfs *st)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL(statfs)(path, st)));
    return shown(result, st);
}

long call_fstatfs(int fd, struct statfs *st)
{
    return shown(real_result(REAL(fstatfs)(fd, st)), st);
}

long libc_statvfs(const char *restrict path, struct statvfs *restrict st)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(statvfs)(path, st)));
    return shown_v(result, st);
}

long libc_fstatvfs(int fd, struct statvfs *st)
{
    return shown_v(real_result(REAL_LIBC(fstatvfs)(fd, st)), st);
}
