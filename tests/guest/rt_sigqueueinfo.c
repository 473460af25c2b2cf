/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

/* The kernel hands on what it was given: the pid that the sender says it has. */
static void check_to(pid_t target, enum door door)
{
    siginfo_t info = {.si_code = SI_QUEUE, .si_signo = SIGUSR1};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_int = 11;
    CHECK(by(door, SYS_rt_sigqueueinfo, target, SIGUSR1, (long)&info) == 0);
    CHECK(taken_info.si_value.sival_int == 11);
    check_taken(SIGUSR1, SI_QUEUE, getpid());
    info.si_code = -42;
    CHECK(by(door, SYS_rt_sigqueueinfo, target, SIGUSR1, (long)&info) == 0);
    check_taken(SIGUSR1, -42, getpid());
}

static void check_child(enum door door)
{
    siginfo_t info = {.si_code = SI_QUEUE};
    siginfo_t forged = {.si_code = SI_USER};
    pid_t child = child_that_waits();
    CHECK(by(door, SYS_rt_sigqueueinfo, child, SIGTERM, (long)&forged) == -EPERM);
    CHECK(by(door, SYS_rt_sigqueueinfo, child, 65, (long)&info) == -EINVAL);
    CHECK(by(door, SYS_rt_sigqueueinfo, child, SIGTERM, (long)bad_pointer()) == -EFAULT);
    CHECK(by(door, SYS_rt_sigqueueinfo, 999999999, SIGTERM, (long)&info) == -ESRCH);
    CHECK(by(door, SYS_rt_sigqueueinfo, child, SIGTERM, (long)&info) == 0);
    int status;
    CHECK(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGTERM);
    show("child", child);
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        if (!answered(door))
            continue;
        check_to(getpid(), door);
        check_child(door);
    }
    return guest_end();
}
