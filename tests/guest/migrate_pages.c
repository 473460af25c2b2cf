/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_ids.h"

static long by_number(pid_t pid)
{
    unsigned long node = 1;
    return by(BY_SYSCALL, SYS_migrate_pages, pid, 64, (long)&node, (long)&node);
}

int main(void)
{
    check_takes_pid(by_number);
    return guest_end();
}
