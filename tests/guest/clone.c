/* SPDX-License-Identifier: MIT */
#include <sched.h>

#include "guest_fork.h"

static _Alignas(16) char stack[65536];
static int shared;

static int child(void *argument)
{
    CHECK(argument == stack);
    shared = getpid();
    CHECK(getppid() > 0 && getpid() != getppid());
    return 5;
}

static void check_clone(int flags, bool shares)
{
    shared = 0;
    pid_t pid = clone(child, stack + sizeof(stack), flags | SIGCHLD, stack);
    CHECK(pid > 0);
    show("child", pid);
    check_exit(pid, 5);
    CHECK(shared == (shares ? pid : 0));
}

static pid_t by_syscall(void)
{
    return (pid_t)by(BY_SYSCALL, SYS_clone, SIGCHLD);
}

static pid_t by_instruction(void)
{
    return (pid_t)by(BY_INSTRUCTION, SYS_clone, SIGCHLD);
}

int main(void)
{
    check_clone(0, false);
    check_clone(CLONE_VM | CLONE_VFORK, true);
    FAILS(EINVAL, clone(NULL, stack + sizeof(stack), SIGCHLD, NULL));
    FAILS(EINVAL, clone(child, NULL, SIGCHLD, NULL));
    FAILS(EINVAL, clone(child, stack + sizeof(stack), CLONE_SIGHAND | SIGCHLD, NULL));
    check_clone(0, false);
    check_fork(by_syscall, true);
    check_fork(by_instruction, false);
    return guest_end();
}
