/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    cpu_set_t set;
    memset(&set, 0xff, sizeof(set));
    long result = result_of(sched_getaffinity(pid, sizeof(set), &set));
    return result ? result : CPU_COUNT(&set);
}

static long by_number(pid_t pid)
{
    cpu_set_t set = {0};
    long result = by(BY_SYSCALL, SYS_sched_getaffinity, pid, sizeof(set), (long)&set);
    return result < 0 ? result : CPU_COUNT(&set);
}

static long by_instruction(pid_t pid)
{
    cpu_set_t set = {0};
    long result = by(BY_INSTRUCTION, SYS_sched_getaffinity, pid, sizeof(set), (long)&set);
    return result < 0 ? result : CPU_COUNT(&set);
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    cpu_set_t set;
    FAILS(EINVAL, sched_getaffinity(0, 1, &set));
    FAILS(EFAULT, sched_getaffinity(0, sizeof(set), bad_pointer()));
    return guest_end();
}
