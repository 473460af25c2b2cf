/* SPDX-License-Identifier: MIT */
/* Spins for 10 s on each clock that moves while a program runs. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double by_id(int id)
{
    struct timespec ts = {0, 0};
    clock_gettime(id, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double by_number(int id)
{
    struct timespec ts = {0, 0};
    syscall(SYS_clock_gettime, id, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double by_timeval(int id)
{
    struct timeval tv;
    (void)id;
    gettimeofday(&tv, NULL);
    return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

static double by_time(int id)
{
    (void)id;
    return (double)time(NULL);
}

static double by_clock(int id)
{
    (void)id;
    return (double)clock() / CLOCKS_PER_SEC;
}

static void spin(const char *name, double (*now)(int), int id, int yield)
{
    double start = now(id);
    unsigned long reads = 1;
    while (now(id) - start < 10) {
        reads++;
        if (yield)
            sched_yield();
    }
    printf("%s %d %lu\n", name, id, reads);
    fflush(stdout);
}

int main(void)
{
    static const int ids[] = {
        CLOCK_REALTIME,          CLOCK_MONOTONIC,     CLOCK_PROCESS_CPUTIME_ID,
        CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE,
        CLOCK_MONOTONIC_COARSE,  CLOCK_BOOTTIME,      CLOCK_TAI};
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++)
        spin("clock_gettime", by_id, ids[i], 0);
    spin("number", by_number, CLOCK_REALTIME, 0);
    spin("number", by_number, CLOCK_MONOTONIC, 0);
    spin("yield", by_id, CLOCK_MONOTONIC, 1);
    spin("yield", by_id, CLOCK_REALTIME, 1);
    spin("gettimeofday", by_timeval, 0, 0);
    spin("time", by_time, 0, 0);
    spin("clock", by_clock, 0, 0);
    return 0;
}
