/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers: what they tell, and when. Under detrun with a supervisor the times are exact.
 */
#ifndef DETRUN_GUEST_TIMER_H
#define DETRUN_GUEST_TIMER_H

#include <sys/time.h>

#include "guest_signal.h"

#define MS 1000000LL

/** Besides the doors: by libc's symbol. */
enum way { BY_LIBC = DOORS, WAYS };

/** A call of libc's as -errno tells it. */
#define LIBC(call) guest_result(call)
static inline long guest_result(long result)
{
    return result == -1 ? -errno : result;
}

static inline struct itimerspec spec_ns(long long value, long long interval)
{
    return (struct itimerspec){.it_value = timespec_ns(value),
                               .it_interval = timespec_ns(interval)};
}

static inline long long ns_of(struct timespec ts)
{
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/** Natively some time has passed since then. */
static inline void check_near(long long got, long long expected)
{
    CHECK(got <= expected && got > expected - 2000 * MS);
    CHECK(!supervised() || got == expected);
}

static inline void check_seconds(long got, long expected)
{
    check_near(got * 1000 * MS, expected * 1000 * MS);
}

/** At least so long after. */
static inline void check_since(long long before, long long ns)
{
    long long passed = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(!children_share_time() || passed >= ns);
    CHECK(!supervised() || passed == ns);
}

/** The next signal that is blocked. */
static inline siginfo_t wait_signal(int number)
{
    sigset_t set;
    siginfo_t info;
    CHECK(sigemptyset(&set) == 0 && sigaddset(&set, number) == 0);
    CHECK(sigwaitinfo(&set, &info) == number);
    return info;
}

static inline bool is_pending(int number)
{
    sigset_t set;
    CHECK(sigpending(&set) == 0);
    return sigismember(&set, number) == 1;
}

/** POSIX timers, as the kernel numbers them. */
static inline int make_timer(clockid_t clock, int notify, int number)
{
    struct sigevent event = {.sigev_notify = notify, .sigev_signo = number};
    int id;
    event.sigev_value.sival_int = 77;
    CHECK(syscall(SYS_timer_create, clock, &event, &id) == 0);
    return id;
}

static inline void set_timer(int id, int flags, long long value, long long interval)
{
    struct itimerspec spec = spec_ns(value, interval);
    CHECK(syscall(SYS_timer_settime, id, flags, &spec, NULL) == 0);
}

static inline struct itimerspec get_timer(int id)
{
    struct itimerspec spec;
    CHECK(syscall(SYS_timer_gettime, id, &spec) == 0);
    return spec;
}

static inline void check_spec(struct itimerspec spec, long long value, long long interval)
{
    if (value == 0)
        CHECK(ns_of(spec.it_value) == 0);
    else
        check_near(ns_of(spec.it_value), value);
    CHECK(ns_of(spec.it_interval) == interval);
}

#endif
