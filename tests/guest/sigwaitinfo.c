/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

int main(void)
{
    sigset_t set;
    siginfo_t *info = guarded(sizeof(*info));
    union sigval value = {.sival_int = -7};
    block(SIG_BLOCK, SIGUSR1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(kill(getpid(), SIGUSR1) == 0 && sigwaitinfo(&set, info) == SIGUSR1 && guard_holds(info));
    CHECK(info->si_code == SI_USER && info->si_pid == getpid() && info->si_uid == getuid());
    CHECK(raise(SIGUSR1) == 0 && sigwaitinfo(&set, info) == SIGUSR1);
    CHECK(info->si_code == SI_USER && info->si_pid == getpid()); /* libc makes that of SI_TKILL */
    CHECK(sigqueue(getpid(), SIGUSR1, value) == 0 && sigwaitinfo(&set, info) == SIGUSR1);
    CHECK(info->si_code == SI_QUEUE && info->si_pid == getpid());
    CHECK(info->si_value.sival_int == -7);
    pid_t sender = signal_of_grandchild(SIGUSR1);
    CHECK(sigwaitinfo(&set, info) == SIGUSR1 && info->si_pid == sender);
    show("sender", info->si_pid);
    CHECK(kill(getpid(), SIGUSR1) == 0 && sigwaitinfo(&set, NULL) == SIGUSR1);
    return guest_end();
}
