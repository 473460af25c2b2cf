/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/kcmp.h>

#include "guest_ids.h"

static long by_number(pid_t pid)
{
    return by(BY_SYSCALL, SYS_kcmp, pid ? pid : getpid(), pid ? pid : getpid(), KCMP_VM);
}

int main(void)
{
    check_takes_pid(by_number);
    pid_t child = child_that_waits();
    CHECK(by(BY_SYSCALL, SYS_kcmp, getpid(), child, KCMP_VM) > 0);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    return guest_end();
}
