/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    CHECK(setpgid(0, 0) == 0 || errno == EPERM);
    CHECK(getpgrp() == getpid());
    show("group", getpgrp());
    pid_t pid = fork();
    if (pid == 0)
        _exit(getpgrp() == getppid() ? 0 : 1);
    check_exit(pid, 0);
    CHECK(answered(BY_SYSCALL) && by(BY_SYSCALL, SYS_getpgrp, 0) == getpgrp());
    return guest_end();
}
