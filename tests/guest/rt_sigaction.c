/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

struct kernel_action {
    siginfo_handler *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

void restore(void);
__asm__("restore:\n\tmovl $15, %eax\n\tsyscall");

static int set_by_number(int number, const struct disposition *new, struct disposition *old)
{
    struct kernel_action action = {0};
    struct kernel_action before;
    if (new) {
        action.handler = new->handler;
        action.flags = (unsigned long)new->flags | RESTORER;
        action.restorer = restore;
        action.mask = new->masked ? UINT64_C(1) << (new->masked - 1) : 0;
    }
    long result = by(BY_SYSCALL, SYS_rt_sigaction, number, (long)(new ? &action : NULL),
                     (long)(old ? &before : NULL), 8);
    if (result != 0 || !old)
        return (int)result;
    CHECK(before.handler == BY_DEFAULT || before.restorer != NULL);
    old->handler = before.handler;
    old->flags = (int)(before.flags & ~(unsigned long)RESTORER);
    old->masked = before.mask ? __builtin_ctzll(before.mask) + 1 : 0;
    return 0;
}

static void check_errors(enum door door)
{
    struct kernel_action action = {.handler = take, .flags = SA_SIGINFO};
    CHECK(by(door, SYS_rt_sigaction, SIGUSR2, (long)bad_pointer(), 0, 8) == -EFAULT);
    CHECK(by(door, SYS_rt_sigaction, SIGUSR2, 0, (long)bad_pointer(), 8) == -EFAULT);
    CHECK(by(door, SYS_rt_sigaction, SIGUSR2, (long)&action, 0, 16) == -EINVAL);
    CHECK(by(door, SYS_rt_sigaction, SIGSTOP, (long)&action, 0, 8) == -EINVAL);
}

int main(void)
{
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_errors(door);
    return check_setter(set_by_number);
}
