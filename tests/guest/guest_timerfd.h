/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Descriptors of timers.
 */
#ifndef DETRUN_GUEST_TIMERFD_H
#define DETRUN_GUEST_TIMERFD_H

#include <sys/timerfd.h>

#include "guest_timer.h"

static inline int make_timerfd(clockid_t clock, int flags)
{
    int fd = timerfd_create(clock, flags);
    CHECK(fd >= 0);
    return fd;
}

static inline void set_timerfd(int fd, int flags, long long value, long long interval)
{
    struct itimerspec spec = spec_ns(value, interval);
    CHECK(timerfd_settime(fd, flags, &spec, NULL) == 0);
}

static inline struct itimerspec get_timerfd(int fd)
{
    struct itimerspec spec;
    CHECK(timerfd_gettime(fd, &spec) == 0);
    return spec;
}

static inline uint64_t read_ticks(int fd)
{
    uint64_t ticks;
    CHECK(read(fd, &ticks, sizeof(ticks)) == sizeof(ticks));
    return ticks;
}

static inline bool has_no_ticks(int fd)
{
    uint64_t ticks;
    return read(fd, &ticks, sizeof(ticks)) == -1 && errno == EAGAIN;
}

#endif
