/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    pid_t child = child_that_waits();
    CHECK(getsid(0) >= 0 && getsid(child) == getsid(0) && getsid(getpid()) == getsid(0));
    check_same_of(SYS_getsid, getpid(), getsid(0));
    check_same(SYS_getsid, child, getsid(0));
    CHECK(kill(child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
    FAILS(ESRCH, getsid(999999999));
    show("session", getsid(0));
    return guest_end();
}
