/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    pid_t child = child_that_waits();
    CHECK(setpgid(child, child) == 0);
    CHECK(killpg(child, 0) == 0 && killpg(child, SIGTERM) == 0);
    check_killed(child, SIGTERM);
    FAILS(ESRCH, killpg(child, SIGTERM));
    FAILS(EINVAL, killpg(-1, SIGTERM));
    on_signal(SIGUSR1);
    CHECK(setpgid(0, 0) == 0 || errno == EPERM);
    CHECK(killpg(0, SIGUSR1) == 0 && killpg(getpgrp(), SIGUSR1) == 0 && signals_seen == 2);
    show("group", child);
    return guest_end();
}
