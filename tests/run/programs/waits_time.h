/* SPDX-License-Identifier: MIT */
/* Times as numbers of nanoseconds, for the waits_* programs. */
#ifndef DETRUN_TEST_WAITS_TIME_H
#define DETRUN_TEST_WAITS_TIME_H

#include <stdint.h>
#include <time.h>

#define SECOND      INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

static inline struct timespec time_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / SECOND, .tv_nsec = ns % SECOND};
}

static inline int64_t ns_of(const struct timespec *ts)
{
    return ts->tv_sec * SECOND + ts->tv_nsec;
}

static inline int64_t now(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return ns_of(&ts);
}

#endif
