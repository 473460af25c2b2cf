/* SPDX-License-Identifier: MIT */
/* A library for RTLD_DEEPBIND: its own dependencies' symbols come before everybody's. */
#include <sys/random.h>
#include <time.h>

long deep_look(struct timespec *mono, void *bytes, size_t len);

long deep_look(struct timespec *mono, void *bytes, size_t len)
{
    if (clock_gettime(CLOCK_MONOTONIC, mono) != 0 || getrandom(bytes, len, 0) != (ssize_t)len)
        return -1;
    return (long)time(NULL);
}
