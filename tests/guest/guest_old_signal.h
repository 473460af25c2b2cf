/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Functions that install a handler without siginfo and give back the one before.
 */
#ifndef DETRUN_GUEST_OLD_SIGNAL_H
#define DETRUN_GUEST_OLD_SIGNAL_H

#include "guest_signal.h"

typedef sighandler_t signal_function(int number, sighandler_t handler);

static volatile sig_atomic_t counted;

static inline void count(int number)
{
    counted += number;
}

static inline void check_signal(signal_function *function)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(function(SIGUSR1, count) == (sighandler_t)(uintptr_t)take);
    counted = 0;
    CHECK(raise(SIGUSR1) == 0 && counted == SIGUSR1);
    CHECK(function(SIGUSR1, SIG_IGN) == count && raise(SIGUSR1) == 0 && counted == SIGUSR1);
    CHECK(function(SIGUSR1, SIG_DFL) == SIG_IGN);
    CHECK(function(SIGUSR1, SIG_DFL) == SIG_DFL);
    CHECK((errno = 0, function(65, count)) == SIG_ERR && errno == EINVAL);
    CHECK((errno = 0, function(SIGKILL, count)) == SIG_ERR && errno == EINVAL);
}

#endif
