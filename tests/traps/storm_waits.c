/* SPDX-License-Identifier: MIT */
/* Signals every 2 ms during sleeps and waits: what is left of a sleep adds up, a wait that goes on
 * after each signal ends, and the handler may itself sleep. */
#include <poll.h>

#include "storm.h"

static void sleep_a_little(void)
{
    struct timespec little = {0, 100000};
    nanosleep(&little, NULL);
}

static void sleep_all(long long ns)
{
    struct timespec left = timespec_ns(ns);
    long long start = clock_ns(CLOCK_MONOTONIC);
    int interrupted = 0;
    while (nanosleep(&left, &left) != 0) {
        CHECK(errno == EINTR && left.tv_nsec >= 0 && left.tv_nsec < SECOND);
        CHECK(left.tv_sec * SECOND + left.tv_nsec <= ns + MILLISECOND);
        interrupted++;
    }
    CHECK(interrupted > 0 && clock_ns(CLOCK_MONOTONIC) - start >= ns);
}

static void sleep_until(long long ns)
{
    long long end = clock_ns(CLOCK_MONOTONIC) + ns;
    struct timespec deadline = timespec_ns(end);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR)
        ;
    CHECK(clock_ns(CLOCK_MONOTONIC) >= end);
}

static void poll_until(long long ns)
{
    long long end = clock_ns(CLOCK_MONOTONIC) + ns;
    for (;;) {
        long long left = end - clock_ns(CLOCK_MONOTONIC);
        if (left <= 0 || poll(NULL, 0, (int)((left + MILLISECOND - 1) / MILLISECOND)) == 0)
            break;
        CHECK(errno == EINTR);
        storm_set(0); /* an interrupted poll does not say what is left: one signal is enough */
    }
    CHECK(clock_ns(CLOCK_MONOTONIC) >= end);
}

int main(void)
{
    storm_begin(sleep_a_little, 2000);
    handle(SIGALRM, storm_handler, 0);
    sleep_all(100 * MILLISECOND);
    sleep_until(100 * MILLISECOND);
    poll_until(50 * MILLISECOND);
    storm_end();
    return guest_end();
}
