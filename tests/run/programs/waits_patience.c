/* SPDX-License-Identifier: MIT */
/*
 * Computes for seconds beside a thread that ticks, as a JVM does that compiles; then threads sleep
 * for a moment, in order, while another one still computes.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "waits_time.h"

#define SLEEPERS 6

static atomic_bool over;

static void compute(int64_t ns)
{
    for (int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns; now(CLOCK_THREAD_CPUTIME_ID) < end;)
        for (volatile int i = 0; i < 100000; i++)
            ;
}

static void *tick(void *argument)
{
    while (!over)
        usleep(50000);
    return argument;
}

static void *compute_little(void *argument)
{
    compute(SECOND / 5);
    return argument;
}

/* The first have most to do: in turn, they are the first to print all the same. */
static void *sleep_a_moment(void *argument)
{
    int number = (int)(intptr_t)argument;
    usleep(2000);
    compute((SLEEPERS - number) * 20 * MILLISECOND);
    printf("%d\n", number);
    return argument;
}

int main(void)
{
    pthread_t ticker;
    pthread_t other;
    pthread_t threads[SLEEPERS];
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_create(&ticker, NULL, tick, NULL);
    compute(SECOND * 3 / 2);
    pthread_create(&other, NULL, compute_little, NULL);
    for (intptr_t i = 0; i < SLEEPERS; i++)
        pthread_create(&threads[i], NULL, sleep_a_moment, (void *)i);
    for (int i = 0; i < SLEEPERS; i++)
        pthread_join(threads[i], NULL);
    over = true;
    pthread_join(other, NULL);
    pthread_join(ticker, NULL);
    return 0;
}
