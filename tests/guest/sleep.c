/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_wait.h"

int main(void)
{
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(sleep(0) == 0);
    check_moved(before, 0);
    before = clock_ns(CLOCK_MONOTONIC);
    CHECK(sleep(1) == 0);
    check_moved(before, 1000000000);
    alarm_in_ms(30);
    unsigned left = sleep(10);
    CHECK(alarms_seen >= 1 && left >= 9 && left <= 10);
    return guest_end();
}
