/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    struct sched_param param = {-1};
    long result = result_of(sched_getparam(pid, &param));
    return result ? result : param.sched_priority;
}

static long by_number(pid_t pid)
{
    struct sched_param param = {-1};
    long result = by(BY_SYSCALL, SYS_sched_getparam, pid, (long)&param);
    return result ? result : param.sched_priority;
}

static long by_instruction(pid_t pid)
{
    struct sched_param param = {-1};
    long result = by(BY_INSTRUCTION, SYS_sched_getparam, pid, (long)&param);
    return result ? result : param.sched_priority;
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
