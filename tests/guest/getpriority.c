/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/resource.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    errno = 0;
    int priority = getpriority(PRIO_PROCESS, (id_t)pid);
    return errno ? -errno : priority + 20;
}

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_getpriority, PRIO_PROCESS, pid);
}

static long by_instruction(pid_t pid)
{
    return by(BY_INSTRUCTION, SYS_getpriority, PRIO_PROCESS, pid);
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, true);
    CHECK(setpriority(PRIO_PROCESS, 0, 7) == 0 && getpriority(PRIO_PROCESS, (id_t)getpid()) == 7);
    CHECK(by(BY_SYSCALL, SYS_getpriority, PRIO_PROCESS, getpid()) == 13);
    CHECK(getpriority(PRIO_PGRP, (id_t)getpgrp()) <= 7);
    FAILS(EINVAL, getpriority((__priority_which_t)9, 0));
    return guest_end();
}
