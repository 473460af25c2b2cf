/* SPDX-License-Identifier: MIT */
#include "guest_old_signal.h"

int main(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO};
    for (int i = 0; i < 2; i++) {
        CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
        CHECK(sysv_signal(SIGUSR1, count) == (sighandler_t)(uintptr_t)take);
        CHECK(raise(SIGUSR1) == 0 && counted == SIGUSR1);
        CHECK(__sysv_signal(SIGUSR1, SIG_IGN) == SIG_DFL); /* it was for one signal */
        counted = 0;
    }
    CHECK((errno = 0, sysv_signal(65, count)) == SIG_ERR && errno == EINVAL);
    show("pid", getpid());
    return guest_end();
}
