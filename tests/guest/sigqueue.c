/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

static volatile int value_seen;

static void take_value(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
    (void)context;
    value_seen = info->si_code == SI_QUEUE ? info->si_value.sival_int : -1;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = take_value, .sa_flags = SA_SIGINFO};
    union sigval value = {.sival_int = 4242};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(sigqueue(getpid(), SIGUSR1, value) == 0 && value_seen == 4242);
    CHECK(sigqueue(getpid(), 0, value) == 0);
    pid_t child = child_that_waits();
    CHECK(sigqueue(child, SIGTERM, value) == 0);
    check_killed(child, SIGTERM);
    FAILS(ESRCH, sigqueue(999999999, SIGUSR1, value));
    FAILS(EINVAL, sigqueue(getpid(), 65, value));
    show("pid", child);
    return guest_end();
}
