/* SPDX-License-Identifier: MIT */
#include "timed.h"

#include <errno.h>

#include "clock.h"
#include "interrupts.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "task.h"
#include "timespec.h"
#include "waits.h"

int64_t timed_ns(const struct timespec *ts)
{
    int64_t ns;
    if (__builtin_mul_overflow(ts->tv_sec, TIMESPEC_SECOND, &ns) ||
        __builtin_add_overflow(ns, ts->tv_nsec, &ns))
        return INT64_MAX;
    return ns;
}

bool timed_is_valid(const struct timespec *ts)
{
    return ts && reach_readable(ts, sizeof(*ts)) && ts->tv_sec >= 0 && ts->tv_nsec >= 0 &&
           ts->tv_nsec < TIMESPEC_SECOND;
}

int64_t timed_limit(const struct timespec *timeout)
{
    if (!timeout)
        return -1;
    return timed_is_valid(timeout) ? timed_ns(timeout) : 0;
}

int64_t timed_begin(int64_t ns)
{
    struct detrun_task *t = task_self();
    if (t && ns > 0)
        return waits_sleep(t, DETRUN_ON_FILES, ns);
    if (t && ns < 0)
        waits_pause(t, DETRUN_ON_FILES);
    return ns;
}

int64_t timed_look(int64_t ns)
{
    return ns == 0 && task_current && waits_looks_again(task_current) ? OVERDUE_NS : ns;
}

int64_t timed_look_limit(const struct timespec *timeout)
{
    int64_t ns = timed_limit(timeout);
    return ns == 0 && timed_is_valid(timeout) ? timed_look(0) : ns;
}

struct timespec *timed_begin_ts(const struct timespec *timeout, int64_t ns, struct timespec *real)
{
    int64_t real_ns = timed_begin(ns);
    if (ns <= 0)
        return (struct timespec *)(uintptr_t)timeout;
    *real = timespec_of(real_ns);
    return real;
}

void timed_ran_out(struct detrun_task *t, uint64_t ns)
{
    bool early = waits_run_out(t, NULL, 0) == WAITS_EARLY;
    clock_sleep(shim.memory, t, ns);
    if (early)
        clock_keep(t, ns);
    else if (shim.alone)
        clock_back_off(t, ns);
}

long timed_end(long result, int64_t ns)
{
    struct detrun_task *t = ns ? task_self() : NULL;
    if (t)
        interrupts_count(t, result, ns > 0 ? (uint64_t)ns : 0);
    if (t && result == 0 && ns > 0) {
        timed_ran_out(t, (uint64_t)ns);
    } else if (t) {
        waits_resume(t);
    } else if (result == 0 && ns == 0 && task_current) {
        clock_yield(task_current); /* a loop that looks again and again is a spin */
    }
    return result;
}

struct timespec timed_real(enum detrun_family family, int64_t left)
{
    struct timespec now = {0};
    int64_t at;
    raw_own(SYS_clock_gettime, family == DETRUN_FAMILY_WALL ? CLOCK_REALTIME : CLOCK_MONOTONIC,
            (long)&now);
    if (__builtin_add_overflow(timed_ns(&now), left, &at))
        at = INT64_MAX;
    return timespec_of(at);
}

/* In a row, without a wait for a time to come between them. */
#define OVERDUE_WAITS 64

static __thread unsigned overdue;

int64_t timed_left(struct detrun_task *t, enum detrun_family family, int64_t deadline)
{
    int64_t left = deadline - clock_view(shim.memory, t, family);
    if (left > 0) {
        overdue = 0;
        return left;
    }
    return waits_are_kept(t) && overdue++ < OVERDUE_WAITS ? OVERDUE_NS : 0;
}

struct timed_until timed_begin_until(struct detrun_task *t, enum detrun_waits_on on,
                                     enum detrun_family family, const struct timespec *deadline)
{
    struct timed_until until = {.family = family, .deadline = timed_ns(deadline)};
    until.left = timed_left(t, family, until.deadline);
    until.real_ns = waits_sleep(t, on, until.left);
    return until;
}

long timed_end_until(struct detrun_task *t, const struct timed_until *until, long result,
                     const uint32_t *word, uint32_t value)
{
    interrupts_count(t, result, (uint64_t)until->left);
    if (result != -ETIMEDOUT)
        return result;
    enum waits_end end = waits_run_out(t, word, value);
    if (end == WAITS_EVENT)
        return 0;
    clock_reach(shim.memory, t, until->family, until->deadline);
    clock_keep(t, end == WAITS_IN_TIME ? 0 : (uint64_t)until->left);
    return result;
}
