/* SPDX-License-Identifier: MIT */
/*
 * One thread hands the time over to another one, and goes to sleep while the keeper is in the
 * middle of its look, which so many idle threads make long: it has seen the one that waits, and not
 * yet the one that wakes it. The woken one may run only when its processor has nothing else to do.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "waits_time.h"

#define IDLE   60
#define ROUNDS 60

static sem_t there;
static sem_t back;
static int never[2];
static int64_t told;

static void *idle(void *argument)
{
    struct pollfd pollfd = {.fd = never[0], .events = POLLIN};
    poll(&pollfd, 1, -1);
    return argument;
}

/* Where the test has another program compute. */
static void run_last(void)
{
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof(first), &first);
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
}

static void *take(void *argument)
{
    int late = 0;
    run_last();
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&there);
        late += now(CLOCK_MONOTONIC) != told;
        sem_post(&back);
    }
    printf("%d of %d later than they were told\n", late, ROUNDS);
    return argument;
}

static void *hand_over(void *argument)
{
    struct timespec ts = time_of(MILLISECOND);
    for (int i = 0; i < ROUNDS; i++) {
        for (volatile int k = 0; k < i * 40000; k++)
            ;
        told = now(CLOCK_MONOTONIC);
        sem_post(&there);
        nanosleep(&ts, NULL);
        sem_wait(&back);
    }
    return argument;
}

int main(void)
{
    pthread_t taker;
    pthread_t thread;
    if (pipe(never) != 0)
        return 1;
    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
    pthread_create(&taker, NULL, take, NULL);
    for (int i = 0; i < IDLE; i++)
        pthread_create(&thread, NULL, idle, NULL);
    pthread_create(&thread, NULL, hand_over, NULL);
    pthread_join(taker, NULL);
    return 0;
}
