/* SPDX-License-Identifier: MIT */
/* A resolver of an indirect function runs while its program is being relocated, before any
 * constructor and, linked statically, before there is a thread pointer: clock, id and bytes asked
 * for there are of the same world as later ones. */
#include "trap.h"

static struct early {
    long clock, pid, got, seconds;
    struct timespec now;
    struct block block;
    int called;
} early;

static int after(void)
{
    return 42;
}

#define BEFORE_ALL __attribute__((no_stack_protector, used))

BEFORE_ALL static long ask(long nr, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(nr), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

BEFORE_ALL static int (*resolve(void))(void)
{
    early.called = 1;
    early.clock = ask(SYS_clock_gettime, CLOCK_REALTIME, (long)&early.now, 0);
    early.seconds = ask(SYS_time, 0, 0, 0);
    early.pid = ask(SYS_getpid, 0, 0, 0);
    early.got = ask(SYS_getrandom, (long)&early.block, sizeof(early.block), 0);
    return after;
}

static int indirect(void) __attribute__((ifunc("resolve")));

int main(void)
{
    struct block blocks[2];
    CHECK(indirect() == 42 && early.called);
    CHECK(early.clock == 0 && early.pid > 0 && early.got == sizeof(early.block));
    if (!under_detrun() || supervised()) {
        CHECK(same_day(early.now.tv_sec, time(NULL)) && same_day(early.seconds, time(NULL)));
        CHECK(early.pid == getpid() || !getenv("GUEST_STATIC"));
    }
    blocks[0] = early.block;
    blocks[1] = random_block();
    check_distinct(blocks, 2);
    return guest_end();
}
