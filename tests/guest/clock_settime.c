/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

/* The kernel does not set a wall clock that lies before the monotonic one (EINVAL), whose caller
 * has to have the privilege first: nothing here can change a machine's clock. */
static const struct timespec too_early = {.tv_sec = 1};

static bool is_refused(long result, bool answered)
{
    return result == -EPERM || (!answered && result == -EINVAL);
}

int main(void)
{
    struct timespec bad = {.tv_sec = 1, .tv_nsec = 1000000000};
    struct timespec negative = {.tv_sec = -1};
    CHECK(clock_settime(CLOCK_REALTIME, &too_early) == -1);
    CHECK(is_refused(-errno, under_detrun()));
    FAILS(EINVAL, clock_settime(CLOCK_REALTIME, &bad));
    FAILS(EINVAL, clock_settime(CLOCK_MONOTONIC, &too_early));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long refused = by(door, SYS_clock_settime, CLOCK_REALTIME, (long)&too_early);
        CHECK(is_refused(refused, under_detrun() && answered(door)));
        CHECK(by(door, SYS_clock_settime, CLOCK_REALTIME, (long)&negative) == -EINVAL);
        CHECK(by(door, SYS_clock_settime, CLOCK_REALTIME, (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_clock_settime, CLOCK_REALTIME, 0) == -EFAULT);
        CHECK(by(door, SYS_clock_settime, CLOCK_TAI, (long)&too_early) == -EINVAL);
        CHECK(by(door, SYS_clock_settime, 99, (long)&too_early) == -EINVAL);
    }
    return guest_end();
}
