/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that are made, copied and closed: what their numbers were before is forgotten.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "call_files.h"
#include "calls.h"
#include "class.h"
#include "dirs.h"
#include "fixed_text.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "sites.h"
#include "task.h"
#include "tracing.h"
#include "writes.h"

static long opened(long fd, const char *path, int flags)
{
    tracing_open(path, flags, fd);
    if (fd >= 0 && (flags & O_ACCMODE) == O_RDWR && shim.on && fixed_text_is_counter(path)) {
        raw3(SYS_close, fd, 0, 0);
        return -EACCES; /* libuuid then begins with random bytes, as for other users */
    }
    if (fd < 0 || (flags & (O_ACCMODE | O_PATH)) != O_RDONLY) {
        class_opened(fd, path);
        writes_opened((int)fd, flags);
        return fd;
    }
    procfs_text_opened((int)fd, path);
    if ((flags & O_DIRECTORY) && shim.glibc && !dirs_are_on() && procfs_lists((int)fd))
        sites_arm_late();
    return class_opened(fd, path);
}

long files_open(int dir, const char *path, int flags, unsigned mode)
{
    PROCFS_ASK(fd, dir, path,
               real_result(dir == AT_FDCWD ? REAL_LIBC(open)(path, flags, mode)
                                           : REAL_LIBC(openat)(dir, path, flags, mode)));
    return opened(fd, path, flags);
}

/* From libc's inside and syscall(). */
long call_openat(int dir, const char *path, int flags, mode_t mode)
{
    PROCFS_ASK(fd, dir, path, raw4(SYS_openat, dir, (long)path, flags, mode));
    return opened(fd, path, flags);
}

long libc_creat(const char *path, mode_t mode)
{
    PROCFS_ASK(fd, AT_FDCWD, path, real_result(REAL_LIBC(creat)(path, mode)));
    tracing_open(path, O_CREAT | O_WRONLY | O_TRUNC, fd);
    class_fresh(fd);
    writes_opened((int)fd, O_WRONLY);
    return fd;
}

/* The checked forms end the program when a mode is missing. */
static long open_checked(enum real_id id, const char *path, int flags)
{
    int (*real)(const char *, int) = (int (*)(const char *, int))(uintptr_t)real_find(id);
    if (!real)
        return files_open(AT_FDCWD, path, flags, 0);
    PROCFS_ASK(fd, AT_FDCWD, path, real_result(real(path, flags)));
    return opened(fd, path, flags);
}

long libc___open_2(const char *path, int flags)
{
    return open_checked(REAL_LIBC___open_2, path, flags);
}

long libc___open64_2(const char *path, int flags)
{
    return open_checked(REAL_LIBC___open64_2, path, flags);
}

/* Forgotten before the close: after it the number may be another thread's. */
long call_close(int fd)
{
    files_forget(fd);
    return real_result(REAL(close)(fd));
}

long libc_dup(int fd)
{
    return class_copied(real_result(REAL_LIBC(dup)(fd)), fd);
}

long call_dup2(int fd, int to)
{
    return class_copied(real_result(REAL(dup2)(fd, to)), fd);
}

long call_dup3(int fd, int to, int flags)
{
    return class_copied(real_result(REAL(dup3)(fd, to, flags)), fd);
}
