/* SPDX-License-Identifier: MIT */
/*
 * Directories. libc lists them past every symbol, so whoever opens one arms the site in glibc's
 * getdents64, and what comes near /proc all LATE ones; in musl a stream is filled here, whenever it
 * is about to fill itself.
 */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dirs.h"
#include "inodes.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "sites.h"
#include "task.h"
#include "tracing.h"

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

/* Entries are put in order, or get other numbers; a trace has the kernel's order, too. */
static bool are_looked_at(void)
{
    return dirs_are_on() || inodes_are_on() || tracing_is_on();
}

static void arm_listing(void)
{
    if (shim.glibc && are_looked_at())
        sites_arm_listing();
}

static long list(int fd, void *buf, unsigned len)
{
    return inodes_listed(fd, buf, dirs_list(fd, buf, len));
}

static long dir_opened(const DIR *dir)
{
    if (dir && shim.glibc && are_looked_at())
        sites_arm_listing();
    else if (dir && shim.glibc && procfs_lists(dir_fd(dir)))
        sites_arm_late();
    return (long)dir;
}

long libc_opendir(const char *path)
{
    char real[PROCFS_PATH];
    DIR *dir = REAL_LIBC(opendir)(path);
    if (!dir && procfs_renamed(real_errno(), AT_FDCWD, path, real))
        dir = REAL_LIBC(opendir)(real);
    tracing_open(path, O_DIRECTORY, dir ? 0 : real_errno());
    return dir_opened(dir);
}

long libc_fdopendir(int fd)
{
    return dir_opened(REAL_LIBC(fdopendir)(fd));
}

static bool is_listed_here(int fd)
{
    return are_looked_at() || procfs_lists(fd);
}

/* An error is left for musl itself to come by. @return false: at the end */
static bool musl_fill(struct musl_dir *dir)
{
    if (dir->at < dir->end || !is_listed_here(dir->fd))
        return true;
    long n = list(dir->fd, dir->buf, sizeof(dir->buf));
    dir->at = 0;
    dir->end = n > 0 ? (int)n : 0;
    return n != 0;
}

long libc_readdir(DIR *dir)
{
    if (!shim.glibc && shim.on && !musl_fill((struct musl_dir *)(void *)dir))
        return 0;
    return (long)REAL_LIBC(readdir)(dir);
}

long libc_closedir(DIR *dir)
{
    dirs_forget(dir_fd(dir));
    return REAL_LIBC(closedir)(dir);
}

long libc_getdents64(int fd, void *buf, size_t len)
{
    return list(fd, buf, len > INT_MAX ? INT_MAX : (unsigned)len);
}

long call_getdents64(unsigned fd, void *buf, unsigned len)
{
    return list((int)fd, buf, len);
}

/* The older form of an entry has the type at its end, and is as long. */
static void make_older(struct dirent *entry)
{
    char *bytes = (char *)entry;
    char type = (char)entry->d_type;
    size_t name = offsetof(struct dirent, d_name);
    memmove(bytes + name - 1, entry->d_name, entry->d_reclen - name);
    bytes[entry->d_reclen - 1] = type;
}

long call_getdents(unsigned fd, void *buf, unsigned len)
{
    if (!are_looked_at())
        return raw3(SYS_getdents, fd, (long)buf, len);
    long n = list((int)fd, buf, len);
    for (long at = 0; at < n;) {
        struct dirent *entry = (struct dirent *)(void *)((char *)buf + at);
        at += entry->d_reclen;
        make_older(entry);
    }
    return n;
}

/* Whoever resolves links inside libc. */
static void arm_near(const char *path)
{
    if (shim.glibc && procfs_is_near(path))
        sites_arm_late();
}

/* Whoever lists directories there. */
static void arm_list(const char *path)
{
    arm_listing();
    arm_near(path);
}

/* Whoever looks at all files as well. */
static void arm_walk(void)
{
    arm_listing();
    if (shim.glibc && inodes_are_on())
        sites_arm_walk();
}

long libc_scandir(const char *restrict path, struct dirent ***restrict names,
                  int (*filter)(const struct dirent *),
                  int (*compare)(const struct dirent **, const struct dirent **))
{
    arm_list(path);
    PROCFS_ASK(result, AT_FDCWD, path,
               real_result(REAL_LIBC(scandir)(path, names, filter, compare)));
    return result;
}

long libc_scandirat(int dir, const char *restrict path, struct dirent ***restrict names,
                    int (*filter)(const struct dirent *),
                    int (*compare)(const struct dirent **, const struct dirent **))
{
    arm_list(path);
    if (dir != AT_FDCWD && shim.on && procfs_holds(dir))
        sites_arm_late();
    PROCFS_ASK(result, dir, path,
               real_result(REAL_LIBC(scandirat)(dir, path, names, filter, compare)));
    return result;
}

long libc_glob(const char *restrict pattern, int flags, int (*error)(const char *, int),
               glob_t *restrict found)
{
    arm_list(pattern);
    return REAL_LIBC(glob)(pattern, flags, error, found);
}

long libc_ftw(const char *path, __ftw_func_t visit, int descriptors)
{
    arm_walk();
    arm_near(path);
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(ftw)(path, visit, descriptors)));
    return result;
}

long libc_nftw(const char *path, __nftw_func_t visit, int descriptors, int flags)
{
    arm_walk();
    arm_near(path);
    PROCFS_ASK(result, AT_FDCWD, path,
               real_result(REAL_LIBC(nftw)(path, visit, descriptors, flags)));
    return result;
}

long libc_fts_open(char *const *paths, int options,
                   int (*compare)(const FTSENT **, const FTSENT **))
{
    arm_walk();
    return (long)REAL_LIBC(fts_open)(paths, options, compare);
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
