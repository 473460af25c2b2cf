/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

static void check_door(enum door door)
{
    siginfo_t info = {.si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_uid = getuid();
    CHECK(by(door, SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGUSR1, (long)&info) == 0);
    check_taken(SIGUSR1, SI_QUEUE, getpid());
    CHECK(by(door, SYS_rt_tgsigqueueinfo, getpid(), getppid(), SIGUSR1, (long)&info) == -ESRCH);
    CHECK(by(door, SYS_rt_tgsigqueueinfo, getpid(), gettid(), 65, (long)&info) == -EINVAL);
    CHECK(by(door, SYS_rt_tgsigqueueinfo, 0, gettid(), SIGUSR1, (long)&info) == -EINVAL);
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        if (answered(door))
            check_door(door);
    show("sender", taken_info.si_pid);
    return guest_end();
}
