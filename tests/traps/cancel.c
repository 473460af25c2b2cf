/* SPDX-License-Identifier: MIT */
/* Threads are cancelled in sleeps and waits: their handlers run, they can be joined, and the
 * others' time and bytes go on. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>

#include "trap.h"

static _Atomic int begun, cleaned;

static void clean(void *unused)
{
    (void)unused;
    random_block();
    CHECK(time(NULL) > 0);
    cleaned++;
}

static void by_sleep(void)
{
    sleep(100);
}

static void by_nanosleep(void)
{
    struct timespec ts = {100, 0};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static void by_poll(void)
{
    poll(NULL, 0, 100000);
}

static void by_select(void)
{
    select(0, NULL, NULL, NULL, &(struct timeval){100, 0});
}

static void by_condition(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec end = timespec_ns(clock_ns(CLOCK_REALTIME) + 100 * SECOND);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&cond, &mutex, &end);
}

static void by_semaphore(void)
{
    sem_t sem;
    struct timespec end = timespec_ns(clock_ns(CLOCK_REALTIME) + 100 * SECOND);
    sem_init(&sem, 0, 0);
    sem_timedwait(&sem, &end);
}

static void by_pause(void)
{
    pause();
}

static void *wait_long(void *argument)
{
    void (*const *wait_for)(void) = argument;
    pthread_cleanup_push(clean, NULL);
    begun++;
    (*wait_for)();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    static void (*const waits[])(void) = {by_sleep,     by_nanosleep, by_poll, by_select,
                                          by_condition, by_semaphore, by_pause};
    const int n = (int)(sizeof(waits) / sizeof(waits[0]));
    struct timespec ms = {0, 5000000};
    for (int i = 0; i < 2 * n; i++) {
        pthread_t thread;
        void *result = NULL;
        void *argument = (void *)(uintptr_t)&waits[i % n];
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(pthread_create(&thread, NULL, wait_long, argument) == 0);
        while (begun <= i)
            sched_yield();
        CHECK(nanosleep(&ms, NULL) == 0);
        CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
        CHECK(result == PTHREAD_CANCELED && cleaned == i + 1);
        /* docs/limits.md: there a sleep that is cut short has passed in full. */
        CHECK(clock_ns(CLOCK_MONOTONIC) - before < 50 * SECOND || getenv("GUEST_STATIC"));
    }
    return guest_end();
}
