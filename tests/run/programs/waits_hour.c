/* SPDX-License-Identifier: MIT */
/*
 * waits_hour SECONDS: an hour of C's ways to wait. Two threads play ping-pong over condition
 * variables, each thinks for a while before it answers; a third waits for what never comes; and the
 * bare system calls.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "waits_time.h"

#define TURNS 4

static int64_t hour;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void think(int64_t ns)
{
    struct timespec ts = time_of(ns);
    nanosleep(&ts, NULL);
}

/* Each turn takes a twentieth; nobody waits for its turn longer than the hour. */
static void *play(void *argument)
{
    int parity = (int)(intptr_t)argument;
    struct timespec deadline = time_of(now(CLOCK_REALTIME) + hour);
    for (int i = 0; i < TURNS; i++) {
        int error = 0;
        pthread_mutex_lock(&mutex);
        while (turn % 2 != parity && !error)
            error = pthread_cond_timedwait(&turned, &mutex, &deadline);
        pthread_mutex_unlock(&mutex);
        if (error)
            return (void *)(intptr_t)error;
        think(hour / 20);
        pthread_mutex_lock(&mutex);
        turn++;
        pthread_cond_broadcast(&turned);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static int ping_pong(void)
{
    pthread_t players[2];
    void *results[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&players[i], NULL, play, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(players[i], &results[i]);
    return results[0] || results[1] ? -1 : turn;
}

static int lonely(void)
{
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec deadline = time_of(now(CLOCK_REALTIME) + hour / 10);
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_timedwait(&never, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    return error == ETIMEDOUT;
}

static int semaphore(void)
{
    sem_t sem;
    struct timespec deadline = time_of(now(CLOCK_REALTIME) + hour / 10);
    sem_init(&sem, 0, 0);
    return sem_timedwait(&sem, &deadline) == -1 && errno == ETIMEDOUT;
}

static int numbers(void)
{
    uint32_t word = 0;
    struct timespec tenth = time_of(hour / 10);
    long slept = syscall(SYS_nanosleep, &tenth, NULL);
    long waited = syscall(SYS_futex, &word, 0, 0, &tenth, NULL, 0);
    long polled = syscall(SYS_poll, NULL, 0, (int)(hour / 10 / 1000000));
    struct timespec until = time_of(now(CLOCK_MONOTONIC) + hour / 10);
    long reached = syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    return slept == 0 && waited == -1 && polled == 0 && reached == 0;
}

static void part(const char *name, int (*wait)(void))
{
    int64_t before = now(CLOCK_MONOTONIC);
    int result = wait();
    int64_t took = now(CLOCK_MONOTONIC) - before;
    printf("%s %d %ld\n", name, result, lround((double)took * 100 / (double)hour));
}

int main(int count, char **arguments)
{
    int64_t begin = now(CLOCK_MONOTONIC);
    hour = (int64_t)((count > 1 ? atof(arguments[1]) : 3600) * 1e9);
    part("ping_pong", ping_pong);
    part("lonely", lonely);
    part("semaphore", semaphore);
    part("numbers", numbers);
    printf("all %ld\n", lround((double)(now(CLOCK_MONOTONIC) - begin) * 100 / (double)hour));
    return 0;
}
