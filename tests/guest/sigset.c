/* SPDX-License-Identifier: MIT */
#include "guest_old_signal.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO};
    check_signal(sigset);
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(sigset(SIGUSR1, SIG_HOLD) == (sighandler_t)(uintptr_t)take);
    CHECK(raise(SIGUSR1) == 0 && taken == 0 && sigset(SIGUSR1, count) == SIG_HOLD);
    show("pid", getpid());
    return guest_end();
}
