/* SPDX-License-Identifier: MIT */
/* A resolver that asks by libc's symbols, bound at once: what answers is up before its constructor
 * ran. */
#include <sys/time.h>

#include "trap.h"

static struct early {
    struct timespec now, mono;
    struct timeval tv;
    time_t seconds;
    pid_t pid;
    struct block block;
    ssize_t got;
} early;

static int after(void)
{
    return 42;
}

__attribute__((no_stack_protector, used)) static int (*resolve(void))(void)
{
    clock_gettime(CLOCK_REALTIME, &early.now);
    clock_gettime(CLOCK_MONOTONIC, &early.mono);
    gettimeofday(&early.tv, NULL);
    early.seconds = time(NULL);
    early.pid = getpid();
    early.got = getrandom(&early.block, sizeof(early.block), 0);
    return after;
}

static int indirect(void) __attribute__((ifunc("resolve")));

int main(void)
{
    struct block blocks[2];
    CHECK(indirect() == 42);
    CHECK(early.got == sizeof(early.block) && early.pid > 0);
    CHECK(same_day(early.now.tv_sec, time(NULL)) && same_day(early.seconds, time(NULL)));
    CHECK(same_day(early.tv.tv_sec, time(NULL)));
    CHECK(early.pid == getpid());
    blocks[0] = early.block;
    blocks[1] = random_block();
    check_distinct(blocks, 2);
    return guest_end();
}
