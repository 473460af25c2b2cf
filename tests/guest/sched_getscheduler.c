/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    int policy = sched_getscheduler(pid);
    return policy < 0 ? -errno : policy;
}

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_sched_getscheduler, pid);
}

static long by_instruction(pid_t pid)
{
    return by(BY_INSTRUCTION, SYS_sched_getscheduler, pid);
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, true);
    return guest_end();
}
