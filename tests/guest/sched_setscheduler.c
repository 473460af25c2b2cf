/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    struct sched_param param = {0};
    return result_of(sched_setscheduler(pid, SCHED_OTHER, &param));
}

static long by_number(pid_t pid)
{
    struct sched_param param = {0};
    return by(BY_SYSCALL, SYS_sched_setscheduler, pid, SCHED_OTHER, (long)&param);
}

static long by_instruction(pid_t pid)
{
    struct sched_param param = {0};
    return by(BY_INSTRUCTION, SYS_sched_setscheduler, pid, SCHED_OTHER, (long)&param);
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
