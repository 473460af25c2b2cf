/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

extern int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

static void check_other_name(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO};
    struct sigaction old;
    CHECK(__sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_TKILL, getpid());
    CHECK(__sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_sigaction == take);
}

int main(void)
{
    check_other_name();
    return check_setter(set_by_libc);
}
