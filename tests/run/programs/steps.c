/* SPDX-License-Identifier: MIT */
/* steps K: reads each clock K times after a first read; prints how far it moved, in nanoseconds. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long by_symbol(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static long long by_number(clockid_t id)
{
    struct timespec ts;
    syscall(SYS_clock_gettime, id, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static long long by_timeval(clockid_t id)
{
    struct timeval tv;
    (void)id;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1000000000LL + tv.tv_usec * 1000LL;
}

static void measure(const char *name, long long (*read_clock)(clockid_t), clockid_t id, int k)
{
    long long last = read_clock(id);
    long long first = last;
    for (int i = 0; i < k; i++) {
        long long now = read_clock(id);
        if (now < last)
            printf("%s went back\n", name);
        last = now;
    }
    printf("%s %lld\n", name, last - first);
}

int main(int argc, char **argv)
{
    int k = argc > 1 ? atoi(argv[1]) : 10;
    measure("wall", by_symbol, CLOCK_REALTIME, k);
    measure("wall_number", by_number, CLOCK_REALTIME, k);
    measure("wall_timeval", by_timeval, CLOCK_REALTIME, k);
    measure("mono", by_symbol, CLOCK_MONOTONIC, k);
    measure("mono_number", by_number, CLOCK_MONOTONIC, k);
    measure("mono_boottime", by_symbol, CLOCK_BOOTTIME, k);
    return 0;
}
