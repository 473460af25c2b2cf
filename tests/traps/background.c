/* SPDX-License-Identifier: MIT */
/* Threads that sleep again and again, and one that sleeps for ever, show in nobody else's clock:
 * what moves one thread's clock is what that thread does. */
#include <pthread.h>

#include "trap.h"

static _Atomic bool over;
static _Atomic int naps;

static void *nap(void *unused)
{
    struct timespec ms = {0, 2000000};
    while (!over) {
        CHECK(nanosleep(&ms, NULL) == 0);
        naps++;
    }
    return unused;
}

static void *sleep_for_ever(void *unused)
{
    struct timespec long_time = {100000000, 0};
    for (;;)
        nanosleep(&long_time, NULL);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    CHECK(pthread_create(&threads[2], NULL, sleep_for_ever, NULL) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, nap, NULL) == 0);
    long long before = clock_ns(CLOCK_MONOTONIC);
    while (naps < 20)
        sched_yield();
    long long moved = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(under_detrun() ? moved == 0 : moved > 0);
    over = true;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(clock_ns(CLOCK_MONOTONIC) - before < 100 * SECOND);
    return guest_end();
}
