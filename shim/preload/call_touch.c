/* SPDX-License-Identifier: MIT */
/*
 * Files that get the present as their time, or are made, past every open. A time that is given is
 * stored as it is, and shown so.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>

#include "calls.h"
#include "class.h"
#include "poison.h"
#include "real.h"
#include "writes.h"

static bool is_now(const struct timespec *times)
{
    return !times || times[1].tv_nsec == UTIME_NOW;
}

long libc_utimensat(int dir, const char *path, const struct timespec times[2], int flags)
{
    long result = real_result(REAL_LIBC(utimensat)(dir, path, times, flags));
    if (result == 0 && is_now(times))
        writes_touched(dir, path, flags);
    return result;
}

long libc_futimens(int fd, const struct timespec times[2])
{
    long result = real_result(REAL_LIBC(futimens)(fd, times));
    if (result == 0 && is_now(times))
        writes_touched(fd, NULL, 0);
    return result;
}

long libc_utimes(const char *path, const struct timeval times[2])
{
    long result = real_result(REAL_LIBC(utimes)(path, times));
    if (result == 0 && !times)
        writes_touched(AT_FDCWD, path, 0);
    return result;
}

long libc_utime(const char *path, const struct utimbuf *times)
{
    long result = real_result(REAL_LIBC(utime)(path, times));
    if (result == 0 && !times)
        writes_touched(AT_FDCWD, path, 0);
    return result;
}
