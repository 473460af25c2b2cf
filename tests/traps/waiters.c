/* SPDX-License-Identifier: MIT */
/* Several threads wait for one thing with deadlines of their own: some are woken, the others time
 * out, nobody hangs, and nobody's deadline passes before its time. */
#include <pthread.h>

#include "trap.h"

#define WAITERS 8

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static int woken, timed_out, tokens, arrived;

static void *wait_for_token(void *argument)
{
    long long ms = 30 + 10 * (long long)(intptr_t)argument;
    CHECK(pthread_mutex_lock(&mutex) == 0);
    long long end = clock_ns(CLOCK_MONOTONIC) + ms * MILLISECOND;
    struct timespec deadline = timespec_ns(end);
    int error = 0;
    arrived++;
    while (tokens == 0 && error == 0)
        error = pthread_cond_timedwait(&cond, &mutex, &deadline);
    CHECK(error == 0 || error == ETIMEDOUT);
    if (tokens > 0) {
        tokens--;
        woken++;
    } else {
        CHECK(clock_ns(CLOCK_MONOTONIC) >= end);
        timed_out++;
    }
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return NULL;
}

static void round_of(int given)
{
    pthread_t threads[WAITERS];
    woken = timed_out = tokens = arrived = 0;
    for (int i = 0; i < WAITERS; i++)
        CHECK(pthread_create(&threads[i], NULL, wait_for_token, (void *)(intptr_t)i) == 0);
    CHECK(pthread_mutex_lock(&mutex) == 0);
    tokens = given;
    CHECK(pthread_cond_broadcast(&cond) == 0 && pthread_mutex_unlock(&mutex) == 0);
    for (int i = 0; i < WAITERS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(woken == given && timed_out == WAITERS - given);
}

int main(void)
{
    pthread_condattr_t attributes;
    CHECK(pthread_condattr_init(&attributes) == 0);
    CHECK(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    CHECK(pthread_cond_init(&cond, &attributes) == 0);
    round_of(0);
    round_of(3);
    round_of(WAITERS);
    return guest_end();
}
