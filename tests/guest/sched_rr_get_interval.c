/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    struct timespec interval = {-1, 0};
    long result = result_of(sched_rr_get_interval(pid, &interval));
    return result ? result : interval.tv_sec;
}

static long by_number(pid_t pid)
{
    struct timespec interval = {-1, 0};
    long result = by(BY_SYSCALL, SYS_sched_rr_get_interval, pid, (long)&interval);
    return result ? result : interval.tv_sec;
}

static long by_instruction(pid_t pid)
{
    struct timespec interval = {-1, 0};
    long result = by(BY_INSTRUCTION, SYS_sched_rr_get_interval, pid, (long)&interval);
    return result ? result : interval.tv_sec;
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
