/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

static int in_child(long (*make)(void))
{
    pid_t pid = fork();
    if (pid == 0) {
        pid_t session = (pid_t)make();
        CHECK(session == getpid() && getsid(0) == session && getpgrp() == session);
        show("session", session);
        FAILS(EPERM, setsid());
        _exit(0);
    }
    check_exit(pid, 0);
    return 0;
}

static long by_libc(void)
{
    return setsid();
}

static long by_syscall(void)
{
    return by(BY_SYSCALL, SYS_setsid, 0);
}

/* The answer of a bare instruction is the kernel's: the id is asked for again. */
static long by_instruction(void)
{
    return by(BY_INSTRUCTION, SYS_setsid, 0) > 0 ? getsid(0) : -1;
}

int main(void)
{
    in_child(by_libc);
    in_child(by_syscall);
    in_child(by_instruction);
    return guest_end();
}
