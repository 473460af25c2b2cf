/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

static uint64_t wanted = UINT64_C(1) << (SIGUSR1 - 1);

static long wait_by(enum door door, siginfo_t *info, const struct timespec *timeout)
{
    return by(door, SYS_rt_sigtimedwait, (long)&wanted, (long)info, (long)timeout, 8);
}

static void check_door(enum door door)
{
    siginfo_t *info = guarded(sizeof(*info));
    struct timespec ten = timespec_ns(10000000000);
    struct timespec none = {0};
    struct timespec bad = {.tv_nsec = -1};
    CHECK(raise(SIGUSR1) == 0 && wait_by(door, info, &ten) == SIGUSR1 && guard_holds(info));
    CHECK(info->si_code == SI_TKILL && (!translated(door) || info->si_pid == getpid()));
    CHECK(kill(getpid(), SIGUSR1) == 0 && wait_by(door, NULL, NULL) == SIGUSR1);
    CHECK(wait_by(door, info, &none) == -EAGAIN && wait_by(door, info, &bad) == -EINVAL);
    CHECK(kill(getpid(), SIGUSR1) == 0 && wait_by(door, bad_pointer(), &ten) == -EFAULT);
    CHECK(by(door, SYS_rt_sigtimedwait, (long)&wanted, (long)info, 0, 16) == -EINVAL);
    if (door == BY_SYSCALL)
        show("sender", info->si_pid);
}

int main(void)
{
    block(SIG_BLOCK, SIGUSR1);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_door(door);
    return guest_end();
}
