/* SPDX-License-Identifier: MIT */
/** @file
 * A thread in sleeps that another one interrupts, by the call under test. */
#ifndef DETRUN_GUEST_INTERRUPT_H
#define DETRUN_GUEST_INTERRUPT_H

#include <pthread.h>
#include <signal.h>

#include "guest.h"

static _Atomic int interrupted;
static _Atomic int value_seen;

static inline void take_signal(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    interrupted++;
    value_seen = info->si_code == SI_QUEUE ? info->si_value.sival_int : 0;
}

/* On a busy machine the signal may come before the sleep. */
static inline void *sleep_until_interrupted(void *ready)
{
    struct timespec nap = {.tv_nsec = 50000000};
    *(_Atomic int *)ready = 1;
    while (!interrupted)
        nanosleep(&nap, NULL);
    return ready;
}

static inline pthread_t sleeping_thread(void)
{
    static _Atomic int ready;
    struct sigaction action = {.sa_sigaction = take_signal, .sa_flags = SA_SIGINFO};
    pthread_t thread;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(pthread_create(&thread, NULL, sleep_until_interrupted, (void *)&ready) == 0);
    while (!ready)
        sched_yield();
    return thread;
}

/** @return what the thread returned */
static inline void *ended(pthread_t thread)
{
    void *result;
    CHECK(pthread_join(thread, &result) == 0);
    return result;
}

#endif
