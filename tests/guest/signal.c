/* SPDX-License-Identifier: MIT */
#include "guest_old_signal.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern sighandler_t ssignal(int number, sighandler_t handler);
extern sighandler_t bsd_signal(int number, sighandler_t handler);

/* It changes one flag of what is there. */
static void check_siginterrupt(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(siginterrupt(SIGUSR1, 1) == 0 && sigaction(SIGUSR1, NULL, &action) == 0);
    CHECK(action.sa_sigaction == take &&
          (action.sa_flags & (SA_SIGINFO | SA_RESTART)) == SA_SIGINFO);
    CHECK(raise(SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_TKILL, getpid());
}

int main(void)
{
    check_siginterrupt();
    check_signal(signal);
    check_signal(ssignal);
    check_signal(bsd_signal);
    show("pid", getpid());
    return guest_end();
}
