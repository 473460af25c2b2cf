/* SPDX-License-Identifier: MIT */
#include "guest.h"

static const clockid_t ids[] = {
    CLOCK_REALTIME,          CLOCK_MONOTONIC,     CLOCK_PROCESS_CPUTIME_ID,
    CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE,
    CLOCK_MONOTONIC_COARSE,  CLOCK_BOOTTIME,      CLOCK_TAI,
};

static long long ns_of(const struct timespec *ts)
{
    CHECK(ts->tv_nsec >= 0 && ts->tv_nsec < 1000000000);
    return ts->tv_sec * 1000000000LL + ts->tv_nsec;
}

static void check_door(enum door door, clockid_t id)
{
    struct timespec *ts = guarded(sizeof(*ts));
    CHECK(by(door, SYS_clock_gettime, id, (long)ts) == 0);
    CHECK(guard_holds(ts));
    long long first = ns_of(ts);
    CHECK(by(door, SYS_clock_gettime, id, (long)ts) == 0);
    CHECK(ns_of(ts) >= first);
    if (answered(door))
        show("by number", ns_of(ts));
    CHECK(by(door, SYS_clock_gettime, id, 0) == -EFAULT);
    CHECK(by(door, SYS_clock_gettime, id, (long)bad_pointer()) == -EFAULT);
    /* What fails writes nothing. */
    struct timespec *untouched = guarded(sizeof(*ts));
    CHECK(by(door, SYS_clock_gettime, 99, (long)untouched) == -EINVAL);
    CHECK(untouched->tv_sec == (time_t)0xa5a5a5a5a5a5a5a5);
}

int main(void)
{
    struct timespec *ts = guarded(sizeof(*ts));
    for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        CHECK(clock_gettime(ids[i], ts) == 0 && guard_holds(ts));
        show("clock", ns_of(ts));
        for (enum door door = BY_SYSCALL; door < DOORS; door++)
            check_door(door, ids[i]);
    }
    FAILS(EINVAL, clock_gettime(99, ts));
    CHECK(clock_ns(CLOCK_REALTIME) > clock_ns(CLOCK_MONOTONIC) + 1000000000000000LL);
    return guest_end();
}
