/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Process ids: what agrees with what.
 */
#ifndef DETRUN_GUEST_PID_H
#define DETRUN_GUEST_PID_H

#include <pthread.h>

#include "guest_child.h"

static volatile sig_atomic_t signals_seen;

static inline void count_signal(int signal_number)
{
    (void)signal_number;
    signals_seen++;
}

static inline void on_signal(int signal_number)
{
    struct sigaction action = {.sa_handler = count_signal};
    CHECK(sigaction(signal_number, &action, NULL) == 0);
}

/** An answer by number equals libc's, where both are detrun's. */
static inline void check_same(long nr, long argument, long expected)
{
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(!answered(door) || by(door, nr, argument) == expected);
}

/** The same for calls that are trapped only when they are given a virtual id: 0 is not one. */
static inline void check_same_of(long nr, pid_t pid, long expected)
{
    CHECK(by(BY_SYSCALL, nr, 0) == expected);
    check_same(nr, pid, expected);
}

/** The child of this id dies of this signal. */
static inline void check_killed(pid_t pid, int signal_number)
{
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
}

#endif
