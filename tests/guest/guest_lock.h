/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timed waits of the thread library: a deadline in the past, one in the future, a bad one.
 */
#ifndef DETRUN_GUEST_LOCK_H
#define DETRUN_GUEST_LOCK_H

#include <pthread.h>
#include <semaphore.h>

#include "guest.h"

/** Waits until the deadline for something that never comes. @return an error number */
typedef int (*lock_wait)(clockid_t id, const struct timespec *deadline);

static inline void check_deadline(lock_wait wait, clockid_t id, long long ahead_ns)
{
    long long before = clock_ns(id);
    struct timespec deadline = timespec_ns(before + ahead_ns);
    CHECK(wait(id, &deadline) == ETIMEDOUT);
    /* The read that looks moves the clock itself, by one step. */
    long long moved = clock_ns(id) - before;
    CHECK(moved >= ahead_ns);
    show("moved", moved);
}

static inline void check_deadlines(lock_wait wait, clockid_t id)
{
    static const long long ahead_ns[] = {-5000000000, 0, 1, 20000000, 100000000};
    for (unsigned i = 0; i < 5; i++)
        check_deadline(wait, id, ahead_ns[i]);
    struct timespec bad = {.tv_nsec = 1000000000};
    CHECK(wait(id, &bad) == EINVAL);
}

#endif
