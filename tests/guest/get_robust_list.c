/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_ids.h"

static long by_number(pid_t pid)
{
    void *head = NULL;
    size_t size = 0;
    long result = by(BY_SYSCALL, SYS_get_robust_list, pid, (long)&head, (long)&size);
    return result ? result : (long)size;
}

static long by_instruction(pid_t pid)
{
    void *head = NULL;
    size_t size = 0;
    long result = by(BY_INSTRUCTION, SYS_get_robust_list, pid, (long)&head, (long)&size);
    return result ? result : (long)size;
}

int main(void)
{
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
