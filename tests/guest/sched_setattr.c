/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/sched/types.h>

#include "guest_ids.h"

static long by_number(pid_t pid)
{
    struct sched_attr attributes = {.size = sizeof(attributes)};
    return by(BY_SYSCALL, SYS_sched_setattr, pid, (long)&attributes, 0);
}

static long by_instruction(pid_t pid)
{
    struct sched_attr attributes = {.size = sizeof(attributes)};
    return by(BY_INSTRUCTION, SYS_sched_setattr, pid, (long)&attributes, 0);
}

int main(void)
{
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
