/* SPDX-License-Identifier: MIT */
/*
 * Calls that take a path, besides open and stat: what names a process in /proc by its virtual id
 * finds it, and links of /proc show virtual ids.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "calls.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"

#include "poison.h"

/* Where buffers are checked: no header declares these without _FORTIFY_SOURCE. */
ssize_t __readlink_chk(const char *path, char *buf, size_t size, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *buf, size_t size, size_t room);
char *__getcwd_chk(char *buf, size_t size, size_t room);

long call_access(const char *path, int mode)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL(access)(path, mode)));
    return result;
}

long libc_faccessat(int dir, const char *path, int mode, int flags)
{
    PROCFS_ASK(result, dir, path, real_result(REAL_LIBC(faccessat)(dir, path, mode, flags)));
    return result;
}

long call_faccessat(int dir, const char *path, int mode)
{
    PROCFS_ASK(result, dir, path, raw3(SYS_faccessat, dir, (long)path, mode));
    return result;
}

long call_faccessat2(int dir, const char *path, int mode, int flags)
{
    PROCFS_ASK(result, dir, path, raw4(SYS_faccessat2, dir, (long)path, mode, flags));
    return result;
}

long libc_euidaccess(const char *path, int mode)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(euidaccess)(path, mode)));
    return result;
}

long libc_eaccess(const char *path, int mode)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(eaccess)(path, mode)));
    return result;
}

long call_chdir(const char *path)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL(chdir)(path)));
    return result;
}

long libc_getxattr(const char *path, const char *name, void *value, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(getxattr)(path, name, value, size)));
    return result;
}

long libc_lgetxattr(const char *path, const char *name, void *value, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(lgetxattr)(path, name, value, size)));
    return result;
}

long libc_listxattr(const char *path, char *list, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(listxattr)(path, list, size)));
    return result;
}

long libc_llistxattr(const char *path, char *list, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(llistxattr)(path, list, size)));
    return result;
}

/* libattr's functions of these names come by number, and are what the symbols would go on to. */
long call_getxattr(const char *path, const char *name, void *value, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path,
               raw4(SYS_getxattr, (long)path, (long)name, (long)value, (long)size));
    return result;
}

long call_lgetxattr(const char *path, const char *name, void *value, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path,
               raw4(SYS_lgetxattr, (long)path, (long)name, (long)value, (long)size));
    return result;
}

long call_listxattr(const char *path, char *list, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, raw3(SYS_listxattr, (long)path, (long)list, (long)size));
    return result;
}

long call_llistxattr(const char *path, char *list, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, raw3(SYS_llistxattr, (long)path, (long)list, (long)size));
    return result;
}

long libc_readlink(const char *restrict path, char *restrict buf, size_t size)
{
    PROCFS_ASK(result, AT_FDCWD, path, real_result(REAL_LIBC(readlink)(path, buf, size)));
    return procfs_link_read(AT_FDCWD, path, buf, size, result);
}

long call_readlink(const char *path, char *buf, int size)
{
    PROCFS_ASK(result, AT_FDCWD, path, raw3(SYS_readlink, (long)path, (long)buf, size));
    return procfs_link_read(AT_FDCWD, path, buf, (size_t)size, result);
}

long call_readlinkat(int dir, const char *restrict path, char *restrict buf, size_t size)
{
    PROCFS_ASK(result, dir, path, real_result(REAL(readlinkat)(dir, path, buf, size)));
    return procfs_link_read(dir, path, buf, size, result);
}

/* A buffer smaller than its size ends the program, which is libc's to do. */
long libc___readlink_chk(const char *restrict path, char *restrict buf, size_t size, size_t room)
{
    return size > room ? real_result(REAL_LIBC(__readlink_chk)(path, buf, size, room))
                       : libc_readlink(path, buf, size);
}

long libc___readlinkat_chk(int dir, const char *restrict path, char *restrict buf, size_t size,
                           size_t room)
{
    return size > room ? real_result(REAL_LIBC(__readlinkat_chk)(dir, path, buf, size, room))
                       : call_readlinkat(dir, path, buf, size);
}

/* Only libc allocates, and only libc sets errno: it is asked for the room that is needed. */
static long directory_allocated(size_t size)
{
    char path[PROCFS_PATH - PROCFS_GROWTH];
    char told[PROCFS_PATH];
    long n = raw3(SYS_getcwd, (long)path, sizeof(path), 0);
    size_t length = n > 1 ? procfs_tell(path, (size_t)n - 1, told) : 0;
    if (length == 0)
        return (long)REAL_LIBC(getcwd)(NULL, size);
    bool fits = size == 0 || size > length;
    char *result = REAL_LIBC(getcwd)(NULL, !fits ? 1 : size == 0 ? length + 1 : size);
    if (result && fits) {
        memcpy(result, told, length);
        result[length] = '\0';
    }
    return (long)result;
}

/* @return the length of the directory in a buffer that now holds it with virtual ids, or -ERANGE */
static long tell_directory(char *buf, size_t size)
{
    char told[PROCFS_PATH];
    size_t n = strlen(buf);
    size_t length = n <= sizeof(told) - PROCFS_GROWTH ? procfs_tell(buf, n, told) : 0;
    if (length == 0)
        return (long)n;
    if (length >= size)
        return -ERANGE;
    memcpy(buf, told, length);
    buf[length] = '\0';
    return (long)length;
}

long libc_getcwd(char *buf, size_t size)
{
    if (!buf)
        return directory_allocated(size);
    char *result = REAL_LIBC(getcwd)(buf, size);
    return result && tell_directory(buf, size) < 0 ? (long)REAL_LIBC(getcwd)(buf, 1) : (long)result;
}

long libc___getcwd_chk(char *buf, size_t size, size_t room)
{
    return size > room ? (long)REAL_LIBC(__getcwd_chk)(buf, size, room) : libc_getcwd(buf, size);
}

long call_getcwd(char *buf, size_t size)
{
    long result = raw3(SYS_getcwd, (long)buf, (long)size, 0);
    if (result < 0)
        return result;
    long length = tell_directory(buf, size);
    return length < 0 ? length : length + 1;
}
