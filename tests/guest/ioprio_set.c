/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_ids.h"

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_ioprio_set, 1, pid, 2 << 13 | 4);
}

static long by_instruction(pid_t pid)
{
    return by(BY_INSTRUCTION, SYS_ioprio_set, 1, pid, 2 << 13 | 4);
}

int main(void)
{
    check_takes_pid(by_number);
    check_instruction(by_instruction, true);
    CHECK(by(BY_SYSCALL, SYS_ioprio_get, 1, getpid()) == (2 << 13 | 4));
    return guest_end();
}
