/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

static void check_door(enum door door)
{
    CHECK(by(door, SYS_kill, 999999999, 0) == -ESRCH);
    CHECK(by(door, SYS_kill, 0, 65) == -EINVAL);
    if (!answered(door))
        return;
    CHECK(by(door, SYS_kill, getpid(), 0) == 0);
    pid_t child = child_that_waits();
    CHECK(by(door, SYS_kill, child, SIGTERM) == 0);
    check_killed(child, SIGTERM);
    child = child_that_waits();
    CHECK(setpgid(child, child) == 0 && by(door, SYS_kill, -child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
}

/* Killed at any point of their start: each is known to its parent. */
static void check_early_deaths(void)
{
    for (int i = 0; i < 500; i++) {
        pid_t child = child_that_waits();
        CHECK(kill(child, SIGKILL) == 0);
        check_killed(child, SIGKILL);
    }
}

int main(void)
{
    check_early_deaths();
    on_signal(SIGUSR1);
    CHECK(kill(getpid(), SIGUSR1) == 0 && signals_seen == 1);
    pid_t child = child_that_waits();
    CHECK(kill(child, 0) == 0 && kill(child, SIGTERM) == 0);
    check_killed(child, SIGTERM);
    FAILS(ESRCH, kill(child, 0));
    FAILS(ESRCH, kill(999999999, SIGTERM));
    FAILS(EINVAL, kill(getpid(), 65));
    CHECK(kill(getppid(), 0) == 0 || errno == EPERM);
    show("killed", child);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_door(door);
    return guest_end();
}
