/* SPDX-License-Identifier: MIT */
/*
 * The stat family. Symbols go on to the next definition (there may be other libraries that answer
 * them), numbers to the kernel.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "calls.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"

#include "poison.h"

/* What programs built before glibc 2.33 call; later headers do not declare it. */
int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstatat(int version, int dir, const char *path, struct stat *st, int flags);

long libc_stat(const char *restrict path, struct stat *restrict st)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(stat)(path, st));
    return procfs_renamed(result, AT_FDCWD, path, real) ? real_result(REAL_LIBC(stat)(real, st))
                                                        : result;
}

long libc_lstat(const char *restrict path, struct stat *restrict st)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(lstat)(path, st));
    return procfs_renamed(result, AT_FDCWD, path, real) ? real_result(REAL_LIBC(lstat)(real, st))
                                                        : result;
}

long libc_fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(fstatat)(dir, path, st, flags));
    return procfs_renamed(result, dir, path, real)
               ? real_result(REAL_LIBC(fstatat)(dir, real, st, flags))
               : result;
}

long libc_statx(int dir, const char *restrict path, int flags, unsigned mask,
                struct statx *restrict st)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(statx)(dir, path, flags, mask, st));
    return procfs_renamed(result, dir, path, real)
               ? real_result(REAL_LIBC(statx)(dir, real, flags, mask, st))
               : result;
}

long libc___xstat(int version, const char *path, struct stat *st)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(__xstat)(version, path, st));
    return procfs_renamed(result, AT_FDCWD, path, real)
               ? real_result(REAL_LIBC(__xstat)(version, real, st))
               : result;
}

long libc___lxstat(int version, const char *path, struct stat *st)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(__lxstat)(version, path, st));
    return procfs_renamed(result, AT_FDCWD, path, real)
               ? real_result(REAL_LIBC(__lxstat)(version, real, st))
               : result;
}

long libc___fxstatat(int version, int dir, const char *path, struct stat *st, int flags)
{
    char real[PROCFS_PATH];
    long result = real_result(REAL_LIBC(__fxstatat)(version, dir, path, st, flags));
    return procfs_renamed(result, dir, path, real)
               ? real_result(REAL_LIBC(__fxstatat)(version, dir, real, st, flags))
               : result;
}

long call_stat(const char *path, struct stat *st)
{
    return call_newfstatat(AT_FDCWD, path, st, 0);
}

long call_lstat(const char *path, struct stat *st)
{
    return call_newfstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

long call_newfstatat(int dir, const char *path, struct stat *st, int flags)
{
    char real[PROCFS_PATH];
    long result = raw4(SYS_newfstatat, dir, (long)path, (long)st, flags);
    return procfs_renamed(result, dir, path, real)
               ? raw4(SYS_newfstatat, dir, (long)real, (long)st, flags)
               : result;
}

long call_statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
    char real[PROCFS_PATH];
    long result = raw6(SYS_statx, dir, (long)path, flags, mask, (long)st, 0);
    return procfs_renamed(result, dir, path, real)
               ? raw6(SYS_statx, dir, (long)real, flags, mask, (long)st, 0)
               : result;
}
