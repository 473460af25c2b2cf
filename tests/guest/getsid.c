/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

/* In a session of its own: the leader of the one it was started in may be of no pid namespace it
 * sees, where the kernel says 0. */
static void in_own_session(void)
{
    CHECK(setsid() == getpid());
    pid_t child = child_that_waits();
    CHECK(getsid(0) == getpid() && getsid(child) == getpid() && getsid(getpid()) == getpid());
    check_same_of(SYS_getsid, getpid(), getsid(0));
    check_same(SYS_getsid, child, getsid(0));
    CHECK(kill(child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
    FAILS(ESRCH, getsid(999999999));
    show("session", getsid(0));
    _exit(0);
}

int main(void)
{
    pid_t pid = fork();
    if (pid == 0)
        in_own_session();
    check_exit(pid, 0);
    return guest_end();
}
