/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A storm of signals whose handler calls what they interrupt, again and again.
 */
#ifndef DETRUN_TRAP_STORM_H
#define DETRUN_TRAP_STORM_H

#include <sys/time.h>

#include "trap.h"

static volatile sig_atomic_t storm_signals;
static void (*storm_body)(void);

static inline void storm_handler(int number)
{
    int before = errno;
    (void)number;
    storm_signals++;
    storm_body();
    errno = before;
}

static inline void storm_set(long us)
{
    struct itimerval every = {{0, us}, {0, us}};
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
}

static inline void storm_begin(void (*body)(void), long us)
{
    storm_body = body;
    storm_signals = 0;
    handle(SIGALRM, storm_handler, SA_RESTART);
    storm_set(us);
}

static inline void storm_end(void)
{
    storm_set(0);
}

#endif
