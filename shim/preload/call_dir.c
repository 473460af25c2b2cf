/* SPDX-License-Identifier: MIT */
/*
 * Directories. libc lists them past every symbol, so what comes near /proc arms glibc's LATE sites;
 * in musl a stream on a listing of /proc is filled here, whenever it is about to fill itself.
 */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "sites.h"
#include "task.h"

#include "poison.h"

char *__realpath_chk(const char *path, char *resolved, size_t room);

/* As it has been since musl 1.1.10. */
struct musl_dir {
    off_t tell;
    int fd;
    int at;
    int end;
    int lock;
    char buf[2048];
};

static int dir_fd(const DIR *dir)
{
    return shim.glibc ? *(const int *)(const void *)dir
                      : ((const struct musl_dir *)(const void *)dir)->fd;
}

static long dir_opened(const DIR *dir)
{
    if (dir && shim.glibc && procfs_lists(dir_fd(dir)))
        sites_arm_late();
    return (long)dir;
}

long libc_opendir(const char *path)
{
    char real[PROCFS_PATH];
    DIR *dir = REAL_LIBC(opendir)(path);
    if (!dir && procfs_renamed(real_errno(), AT_FDCWD, path, real))
        dir = REAL_LIBC(opendir)(real);
    return dir_opened(dir);
}

long libc_fdopendir(int fd)
{
    return dir_opened(REAL_LIBC(fdopendir)(fd));
}

/* An error is left for musl itself to come by. */
static void musl_fill(struct musl_dir *dir)
{
    if (dir->at < dir->end || !procfs_lists(dir->fd))
        return;
    long n = procfs_list(dir->fd, dir->buf, sizeof(dir->buf));
    dir->at = 0;
    dir->end = n > 0 ? (int)n : 0;
}

long libc_readdir(DIR *dir)
{
    if (!shim.glibc && shim.on)
        musl_fill((struct musl_dir *)(void *)dir);
    return (long)REAL_LIBC(readdir)(dir);
}

long libc_getdents64(int fd, void *buf, size_t len)
{
    return procfs_list(fd, buf, len > INT_MAX ? INT_MAX : (unsigned)len);
}

long call_getdents64(unsigned fd, void *buf, unsigned len)
{
    return procfs_list((int)fd, buf, len);
}

/* Whoever walks through directories, or resolves links, inside libc. */
static void arm_near(const char *path)
{
    if (shim.glibc && procfs_is_near(path))
        sites_arm_late();
}

long libc_scandir(const char *restrict path, struct dirent ***restrict names,
                  int (*filter)(const struct dirent *),
                  int (*compare)(const struct dirent **, const struct dirent **))
{
    arm_near(path);
    PROCFS_ASK(result, AT_FDCWD, path,
               real_result(REAL_LIBC(scandir)(path, names, filter, compare)));
    return result;
}

long libc_scandirat(int dir, const char *restrict path, struct dirent ***restrict names,
                    int (*filter)(const struct dirent *),
                    int (*compare)(const struct dirent **, const struct dirent **))
{
    arm_near(path);
    if (dir != AT_FDCWD && shim.on && procfs_holds(dir))
        sites_arm_late();
    PROCFS_ASK(result, dir, path,
               real_result(REAL_LIBC(scandirat)(dir, path, names, filter, compare)));
    return result;
}

long libc_glob(const char *restrict pattern, int flags, int (*error)(const char *, int),
               glob_t *restrict found)
{
    arm_near(pattern);
    return REAL_LIBC(glob)(pattern, flags, error, found);
}

long libc_ftw(const char *path, __ftw_func_t visit, int descriptors)
{
    arm_near(path);
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(ftw)(path, visit, descriptors)));
    return result;
}

long libc_nftw(const char *path, __nftw_func_t visit, int descriptors, int flags)
{
    arm_near(path);
    PROCFS_ASK(result, AT_FDCWD, path,
               real_result(REAL_LIBC(nftw)(path, visit, descriptors, flags)));
    return result;
}

/* musl resolves links itself; a buffer that is given has room for any path. */
static char *musl_resolved(char *resolved, const char *buf)
{
    char told[PROCFS_PATH];
    size_t n = resolved ? strlen(resolved) : 0;
    size_t length = resolved == buf && n > 0 && n < PROCFS_PATH - PROCFS_GROWTH
                        ? procfs_tell(resolved, n, told)
                        : 0;
    if (length > 0) {
        memcpy(resolved, told, length);
        resolved[length] = '\0';
    }
    return resolved;
}

long libc_realpath(const char *restrict path, char *restrict resolved)
{
    arm_near(path);
    char real[PROCFS_PATH];
    char *result = REAL_LIBC(realpath)(path, resolved);
    if (!result && procfs_renamed(real_errno(), AT_FDCWD, path, real))
        result = REAL_LIBC(realpath)(real, resolved);
    return (long)(shim.glibc ? result : musl_resolved(result, resolved));
}

long libc___realpath_chk(const char *path, char *resolved, size_t room)
{
    return room < PATH_MAX ? (long)REAL_LIBC(__realpath_chk)(path, resolved, room)
                           : libc_realpath(path, resolved);
}

long libc_canonicalize_file_name(const char *path)
{
    arm_near(path);
    return (long)REAL_LIBC(canonicalize_file_name)(path);
}
