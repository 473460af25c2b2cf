/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/resource.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    return result_of(setpriority(PRIO_PROCESS, (id_t)pid, 5));
}

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_setpriority, PRIO_PROCESS, pid, 5);
}

static long by_instruction(pid_t pid)
{
    return by(BY_INSTRUCTION, SYS_setpriority, PRIO_PROCESS, pid, 5);
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, true);
    CHECK(getpriority(PRIO_PROCESS, 0) == 5);
    return guest_end();
}
