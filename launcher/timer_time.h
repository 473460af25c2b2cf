/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a program asks of a timer, as nanoseconds.
 */
#ifndef DETRUN_LAUNCHER_TIMER_TIME_H
#define DETRUN_LAUNCHER_TIMER_TIME_H

#include <time.h>

#include "timers.h"
#include "timespec.h"

/** Beyond what fits: as late as can be. */
static inline int64_t timer_ns(const struct timespec *ts)
{
    int64_t ns;
    if (__builtin_mul_overflow(ts->tv_sec, TIMESPEC_SECOND, &ns) ||
        __builtin_add_overflow(ns, ts->tv_nsec, &ns))
        return INT64_MAX;
    return ns;
}

static inline bool timer_is_valid(const struct timespec *ts)
{
    return ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < TIMESPEC_SECOND;
}

/** @return false: EINVAL */
static inline bool timer_read_setting(const struct itimerspec *spec, struct timer_setting *setting)
{
    if (!timer_is_valid(&spec->it_value) || !timer_is_valid(&spec->it_interval))
        return false;
    setting->value_ns = timer_ns(&spec->it_value);
    setting->interval_ns = (uint64_t)timer_ns(&spec->it_interval);
    return true;
}

#endif
