/* SPDX-License-Identifier: MIT */
/* A handler reads the clocks while it interrupts a read of them: no value is torn, none goes back.
 */
#include "storm.h"

static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME,
                                CLOCK_PROCESS_CPUTIME_ID};
#define IDS (sizeof(ids) / sizeof(ids[0]))

static _Atomic long long newest[IDS];

/* What was seen before the read began is not later than what it gives. */
static void read_clocks(void)
{
    for (unsigned i = 0; i < IDS; i++) {
        long long before = newest[i];
        long long now = clock_ns(ids[i]);
        CHECK(now >= before && now - before < 1000 * SECOND);
        while (now > before &&
               !__atomic_compare_exchange_n((long long *)&newest[i], &before, now, false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            ;
    }
}

int main(void)
{
    for (unsigned i = 0; i < IDS; i++)
        newest[i] = clock_ns(ids[i]);
    storm_begin(read_clocks, 50);
    while (storm_signals < 1000)
        read_clocks();
    storm_end();
    return guest_end();
}
