/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Waits: what a time-out moves, and what ends one early.
 */
#ifndef DETRUN_GUEST_WAIT_H
#define DETRUN_GUEST_WAIT_H

#include <signal.h>
#include <sys/time.h>

#include "guest.h"

/** The monotonic clock moved by at least this; by exactly this under detrun. */
static inline void check_moved(long long before, long long asked_ns)
{
    long long moved = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(moved >= asked_ns);
    CHECK(!under_detrun() || moved == asked_ns);
    show("moved", moved);
}

/**
 * Does a relative wait through this door move the view? One by a bare instruction, in an image that
 * has the shim, takes its real time and moves nothing.
 */
static inline bool moves(enum door door)
{
    return door == BY_SYSCALL || !under_detrun();
}

/** A wait that nothing ends returns 0 when its time is over. */
static inline void check_timeouts(int (*wait_ms)(int ms))
{
    static const int waits_ms[] = {0, 1, 20};
    for (unsigned i = 0; i < 3; i++) {
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(wait_ms(waits_ms[i]) == 0);
        check_moved(before, waits_ms[i] * 1000000LL);
    }
}

static volatile sig_atomic_t alarms_seen;

static inline void count_alarm(int signal_number)
{
    (void)signal_number;
    alarms_seen++;
}

/** SIGALRM after this much real time, handled without SA_RESTART; and again, since the first one
 * may come before the wait on a busy machine. */
static inline void alarm_in_ms(int ms)
{
    struct sigaction action = {.sa_handler = count_alarm};
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    struct itimerval repeated = {.it_interval = time, .it_value = time};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &repeated, NULL) == 0);
}

static inline void alarm_off(void)
{
    struct itimerval off = {0};
    CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
}

/** A wait of ten seconds that a signal ends. */
static inline void check_interrupted(int (*wait_ms)(int ms))
{
    alarm_in_ms(30);
    FAILS(EINTR, wait_ms(10000));
    alarm_off();
    CHECK(alarms_seen > 0);
}

/** Signals come more often than the wait is long: going on until the clock is there has an end. */
static inline void check_ticks(int (*wait_ms)(int ms))
{
    long long deadline = clock_ns(CLOCK_MONOTONIC) + 100000000;
    alarm_in_ms(3);
    for (long long left; (left = deadline - clock_ns(CLOCK_MONOTONIC)) > 0;) {
        errno = 0;
        CHECK(wait_ms((int)((left + 999999) / 1000000)) == 0 || errno == EINTR);
    }
    alarm_off();
}

#endif
