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
    /* Of what is left only whole seconds count. */
    CHECK(sleep(10) == 9);
    CHECK(alarms_seen >= 1);
    return guest_end();
}
