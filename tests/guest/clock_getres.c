/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    struct timespec *ts = guarded(sizeof(*ts));
    for (clockid_t id = CLOCK_REALTIME; id <= CLOCK_BOOTTIME; id++) {
        CHECK(clock_getres(id, ts) == 0 && guard_holds(ts) && ts->tv_sec == 0);
        CHECK(ts->tv_nsec > 0 && clock_getres(id, NULL) == 0);
        show("resolution", ts->tv_nsec);
    }
    FAILS(EINVAL, clock_getres(99, ts));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_clock_getres, CLOCK_MONOTONIC, (long)ts) == 0 && ts->tv_nsec == 1);
        CHECK(by(door, SYS_clock_getres, CLOCK_MONOTONIC, 0) == 0);
        CHECK(by(door, SYS_clock_getres, CLOCK_REALTIME_COARSE, (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_clock_getres, 99, (long)ts) == -EINVAL);
    }
    return guest_end();
}
