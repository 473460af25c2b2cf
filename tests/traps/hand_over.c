/* SPDX-License-Identifier: MIT */
/* A deadline that one thread or process sets and another waits for. */
#include <pthread.h>

#include "trap.h"

static void *wait_until(void *argument)
{
    const struct timespec *deadline = argument;
    struct timespec ms = {0, 1000000};
    CHECK(nanosleep(&ms, NULL) == 0);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, deadline, NULL) == 0);
    CHECK(clock_ns(CLOCK_MONOTONIC) >= deadline->tv_sec * SECOND + deadline->tv_nsec);
    return NULL;
}

/* Set far ahead by one who has slept more than the others. */
static void deadlines(void)
{
    pthread_t thread;
    struct timespec slept = {0, 30000000};
    CHECK(nanosleep(&slept, NULL) == 0);
    struct timespec deadline = timespec_ns(clock_ns(CLOCK_MONOTONIC) + 20 * MILLISECOND);
    CHECK(pthread_create(&thread, NULL, wait_until, &deadline) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(clock_ns(CLOCK_MONOTONIC) >= deadline.tv_sec * SECOND + deadline.tv_nsec);
}

static void child_waits(void)
{
    struct timespec deadline = timespec_ns(clock_ns(CLOCK_REALTIME) + 20 * MILLISECOND);
    long long end = deadline.tv_sec * SECOND + deadline.tv_nsec;
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, NULL) == 0);
        _exit(clock_ns(CLOCK_REALTIME) >= end ? 3 : 4);
    }
    child_exits(pid, 3);
    CHECK(clock_ns(CLOCK_REALTIME) >= end || getenv("GUEST_STATIC"));
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        deadlines();
        child_waits();
    }
    return guest_end();
}
