/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest_ids.h"

static cpu_set_t allowed;

static long by_libc(pid_t pid)
{
    return result_of(sched_setaffinity(pid, sizeof(allowed), &allowed));
}

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_sched_setaffinity, pid, sizeof(allowed), (long)&allowed);
}

static long by_instruction(pid_t pid)
{
    return by(BY_INSTRUCTION, SYS_sched_setaffinity, pid, sizeof(allowed), (long)&allowed);
}

int main(void)
{
    CHECK(sched_getaffinity(0, sizeof(allowed), &allowed) == 0);
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
