/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_wait.h"

static sigset_t wanted;

static int wait_ms(int ms)
{
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    return sigtimedwait(&wanted, NULL, &timeout);
}

int main(void)
{
    static const int waits_ms[] = {0, 1, 20};
    struct timespec bad = {.tv_nsec = 1000000000};
    struct timespec ten = timespec_ns(10000000000);
    siginfo_t info;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    CHECK(sigprocmask(SIG_BLOCK, &wanted, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        long long before = clock_ns(CLOCK_MONOTONIC);
        FAILS(EAGAIN, wait_ms(waits_ms[i]));
        check_moved(before, waits_ms[i] * 1000000LL);
    }
    check_interrupted(wait_ms);
    CHECK(raise(SIGUSR1) == 0);
    CHECK(sigtimedwait(&wanted, &info, &ten) == SIGUSR1 && info.si_signo == SIGUSR1);
    FAILS(EINVAL, sigtimedwait(&wanted, NULL, &bad));
    return guest_end();
}
