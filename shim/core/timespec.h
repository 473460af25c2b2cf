/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Nanoseconds as the kernel's structs.
 */
#ifndef DETRUN_CORE_TIMESPEC_H
#define DETRUN_CORE_TIMESPEC_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#define TIMESPEC_SECOND INT64_C(1000000000)

/** tv_nsec is 0 .. 999999999, before 1970 too. */
static inline struct timespec timespec_of(int64_t ns)
{
    int64_t seconds = ns / TIMESPEC_SECOND;
    int64_t rest = ns % TIMESPEC_SECOND;
    if (rest < 0) {
        rest += TIMESPEC_SECOND;
        seconds--;
    }
    return (struct timespec){.tv_sec = seconds, .tv_nsec = rest};
}

static inline int64_t timespec_ns(const struct timespec *ts)
{
    return ts->tv_sec * TIMESPEC_SECOND + ts->tv_nsec;
}

static inline struct timeval timeval_of(int64_t ns)
{
    struct timespec ts = timespec_of(ns);
    return (struct timeval){.tv_sec = ts.tv_sec, .tv_usec = ts.tv_nsec / 1000};
}

#endif
