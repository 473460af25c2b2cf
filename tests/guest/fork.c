/* SPDX-License-Identifier: MIT */
#include "guest_fork.h"

static pid_t by_syscall(void)
{
    return (pid_t)by(BY_SYSCALL, SYS_fork, 0);
}

static pid_t by_instruction(void)
{
    return (pid_t)by(BY_INSTRUCTION, SYS_fork, 0);
}

int main(void)
{
    check_fork(fork, true);
    check_fork(by_syscall, true);
    check_fork(by_instruction, false);
    return guest_end();
}
