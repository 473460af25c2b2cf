/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_ids.h"

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_ioprio_get, 1, pid);
}

static long by_instruction(pid_t pid)
{
    return by(BY_INSTRUCTION, SYS_ioprio_get, 1, pid);
}

int main(void)
{
    check_takes_pid(by_number);
    check_instruction(by_instruction, true);
    return guest_end();
}
