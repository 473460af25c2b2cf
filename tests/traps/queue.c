/* SPDX-License-Identifier: MIT */
/* A time stamp handed through a queue, whose taker may find it without any wait: its age is never
 * negative. */
#include <pthread.h>

#include "trap.h"

#define ITEMS 60

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static long long queue[ITEMS];
static int put, got;

static void *produce(void *unused)
{
    struct timespec little = {0, 2000000};
    for (int i = 0; i < ITEMS; i++) {
        if (i % 3 == 0)
            nanosleep(&little, NULL);
        CHECK(pthread_mutex_lock(&mutex) == 0);
        queue[put++] = clock_ns(CLOCK_MONOTONIC);
        CHECK(pthread_cond_signal(&cond) == 0 && pthread_mutex_unlock(&mutex) == 0);
    }
    return unused;
}

static void consume(void)
{
    pthread_t thread;
    put = got = 0;
    CHECK(pthread_create(&thread, NULL, produce, NULL) == 0);
    while (got < ITEMS) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        while (got == put)
            CHECK(pthread_cond_wait(&cond, &mutex) == 0);
        long long stamp = queue[got++];
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        long long age = clock_ns(CLOCK_MONOTONIC) - stamp;
        CHECK(age >= 0);
    }
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        consume();
    return guest_end();
}
