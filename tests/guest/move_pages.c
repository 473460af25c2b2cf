/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_ids.h"

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_move_pages, pid, 0, 0, 0, 0, 0);
}

int main(void)
{
    check_takes_pid(by_number);
    return guest_end();
}
