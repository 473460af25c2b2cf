/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    CHECK(setpgid(0, 0) == 0 || errno == EPERM);
    CHECK(getpgid(0) == getpid() && getpgid(getpid()) == getpid());
    show("group", getpgid(0));
    check_same_of(SYS_getpgid, getpid(), getpgid(0));
    pid_t child = child_that_waits();
    CHECK(getpgid(child) == getpid());
    check_same(SYS_getpgid, child, getpid());
    CHECK(kill(child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
    FAILS(ESRCH, getpgid(999999999));
    FAILS(ESRCH, getpgid(child));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_getpgid, 999999999) == -ESRCH);
    return guest_end();
}
