/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Clocks of processes and threads that are named by their ids.
 */
#ifndef DETRUN_GUEST_CPU_CLOCK_H
#define DETRUN_GUEST_CPU_CLOCK_H

#include <signal.h>

#include "guest_child.h"

/** The kernel's way to put a pid into an id; kind is 2 for a process, 6 for a thread. */
static inline clockid_t cpu_clock_of(pid_t pid, unsigned kind)
{
    return (clockid_t)(~(unsigned)pid << 3 | kind);
}

/** Every call takes it. */
static inline void check_cpu_clock(clockid_t id)
{
    struct timespec ts;
    struct timespec none = {0};
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    CHECK(clock_gettime(id, &ts) == 0 && ts.tv_sec >= 0);
    CHECK(clock_getres(id, &ts) == 0 && ts.tv_nsec == 1);
    FAILS(EFAULT, syscall(SYS_clock_gettime, id, bad_pointer()));
    CHECK(clock_settime(id, &none) == -1 && errno == EPERM);
    CHECK(timer_create(id, &event, &timer) == 0 && timer_delete(timer) == 0);
    CHECK(by(BY_SYSCALL, SYS_clock_gettime, id, (long)&ts) == 0);
    CHECK(by(BY_SYSCALL, SYS_clock_getres, id, (long)&ts) == 0);
}

/** The clock of somebody who is not there. */
static inline void check_no_cpu_clock(clockid_t id)
{
    struct timespec ts;
    struct timespec none = {0};
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    FAILS(EINVAL, clock_gettime(id, &ts));
    FAILS(EINVAL, clock_getres(id, &ts));
    FAILS(EINVAL, timer_create(id, &event, &timer));
    CHECK(clock_nanosleep(id, 0, &none, NULL) == EINVAL);
    CHECK(by(BY_SYSCALL, SYS_clock_gettime, id, (long)&ts) == -EINVAL);
}

#endif
