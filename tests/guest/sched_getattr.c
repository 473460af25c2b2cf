/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/sched/types.h>

#include "guest_ids.h"

static long by_number(pid_t pid)
{
    struct sched_attr attributes = {.sched_policy = 77};
    long result = by(BY_SYSCALL, SYS_sched_getattr, pid, (long)&attributes, sizeof(attributes), 0);
    return result ? result : attributes.sched_policy;
}

static long by_instruction(pid_t pid)
{
    struct sched_attr attributes = {.sched_policy = 77};
    long result =
        by(BY_INSTRUCTION, SYS_sched_getattr, pid, (long)&attributes, sizeof(attributes), 0);
    return result ? result : attributes.sched_policy;
}

int main(void)
{
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
