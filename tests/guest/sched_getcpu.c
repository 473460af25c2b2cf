/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest.h"

/* A thread that may run on one alone runs there. */
int main(void)
{
    cpu_set_t all;
    cpu_set_t one;
    CHECK(sched_getaffinity(0, sizeof(all), &all) == 0);
    CHECK(sched_getcpu() >= 0 && CPU_ISSET((unsigned)sched_getcpu(), &all));
    if (under_detrun())
        show("cpu", sched_getcpu());
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &all))
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        CHECK(sched_setaffinity(0, sizeof(one), &one) == 0);
        CHECK(sched_getcpu() == (int)cpu);
    }
    return guest_end();
}
