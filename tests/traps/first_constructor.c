/* SPDX-License-Identifier: MIT */
/* What another library's constructor asked before ours ran is of the same world as later answers.
 */
#include "early_library.h"
#include "trap.h"

static long long ns(struct timespec ts)
{
    return ts.tv_sec * SECOND + ts.tv_nsec;
}

int main(void)
{
    struct block blocks[2];
    CHECK(early.got == 16 && early.reaped == 7 && early.pid > 0);
    CHECK(ns(early.after) - ns(early.before) >= 2 * MILLISECOND);
    CHECK(early.pid == getpid() && same_day(early.seconds, time(NULL)));
    CHECK(clock_ns(CLOCK_MONOTONIC) >= ns(early.after));
    memcpy(blocks[0].bytes, early.bytes, 16);
    blocks[1] = random_block();
    check_distinct(blocks, 2);
    return guest_end();
}
