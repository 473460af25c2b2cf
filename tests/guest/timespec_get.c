/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    struct timespec *ts = guarded(sizeof(*ts));
    CHECK(timespec_get(ts, TIME_UTC) == TIME_UTC && guard_holds(ts));
    CHECK(ts->tv_sec > 0 && ts->tv_nsec >= 0 && ts->tv_nsec < 1000000000);
    show("time", ts->tv_sec * 1000000000LL + ts->tv_nsec);
    CHECK(timespec_get(ts, 99) == 0);
    return guest_end();
}
