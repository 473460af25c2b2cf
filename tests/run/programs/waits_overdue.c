/* SPDX-License-Identifier: MIT */
/*
 * Waits until the clock is beyond a time, and again while it is not, as Ruby's sleep does. Every
 * real wait ends a little late; here one more, of a nanosecond, is enough, whatever the call.
 */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "waits_time.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never;

static void by_condition(int64_t end, int64_t left)
{
    struct timespec ts = time_of(end);
    (void)left;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&never, &mutex, &ts);
    pthread_mutex_unlock(&mutex);
}

static void by_sleep(int64_t end, int64_t left)
{
    struct timespec ts = time_of(end);
    (void)left;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static void by_ppoll(int64_t end, int64_t left)
{
    struct timespec ts = time_of(left);
    (void)end;
    ppoll(NULL, 0, &ts, NULL);
}

static void by_poll(int64_t end, int64_t left)
{
    (void)end;
    poll(NULL, 0, (int)(left / MILLISECOND));
}

static void by_select(int64_t end, int64_t left)
{
    struct timeval tv = {.tv_sec = left / SECOND, .tv_usec = left % SECOND / 1000};
    (void)end;
    select(0, NULL, NULL, NULL, &tv);
}

static void by_epoll(int64_t end, int64_t left)
{
    static int fd;
    struct epoll_event event;
    (void)end;
    fd = fd ? fd : epoll_create1(0);
    epoll_wait(fd, &event, 1, (int)(left / MILLISECOND));
}

static const struct way {
    const char *name;
    void (*wait)(int64_t end, int64_t left);
} ways[] = {
    {"condition", by_condition}, {"sleep", by_sleep},   {"ppoll", by_ppoll},
    {"poll", by_poll},           {"select", by_select}, {"epoll", by_epoll},
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void wait_beyond(const struct way *way)
{
    int64_t start = now(CLOCK_MONOTONIC);
    int64_t end = start + 20 * MILLISECOND;
    int rounds = 0;
    for (int64_t left = end - start; left >= 0; left = end - now(CLOCK_MONOTONIC), rounds++)
        way->wait(end, left);
    printf("%s: %d rounds, %lld late\n", way->name, rounds,
           (long long)(now(CLOCK_MONOTONIC) - end));
}

static sem_t handed;
static int64_t stamp;

static void *hand_over(void *argument)
{
    by_condition(now(CLOCK_MONOTONIC), 0);
    stamp = now(CLOCK_MONOTONIC);
    sem_post(&handed);
    return argument;
}

/* Whether the semaphore is waited for, or there already, is timing. */
static void take_stamps(void)
{
    int negative = 0;
    int64_t start = now(CLOCK_MONOTONIC);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, hand_over, NULL);
        for (volatile int k = 0; k < i % 10 * 3000; k++)
            ;
        sem_wait(&handed);
        negative += now(CLOCK_MONOTONIC) < stamp;
        pthread_join(thread, NULL);
    }
    printf("stamps: %d of the future, %lld taken\n", negative,
           (long long)(now(CLOCK_MONOTONIC) - start));
}

static _Atomic int flag;

static void *raise_flag(void *argument)
{
    by_sleep(now(CLOCK_MONOTONIC) + 20 * MILLISECOND, 0);
    flag = 1;
    return argument;
}

/* Waits for a time that has come, in place of sleeps, do not keep others' time from coming. */
static void wait_for_flag(void)
{
    pthread_t thread;
    int64_t past = now(CLOCK_MONOTONIC) - SECOND;
    pthread_create(&thread, NULL, raise_flag, NULL);
    while (!flag)
        by_condition(past, 0);
    pthread_join(thread, NULL);
    printf("flag\n");
}

int main(int argc, char **argv)
{
    (void)argv;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&never, &monotonic);
    if (argc > 1) {
        wait_for_flag();
        return 0;
    }
    for (unsigned i = 0; i < WAYS; i++)
        wait_beyond(&ways[i]);
    take_stamps();
    return 0;
}
