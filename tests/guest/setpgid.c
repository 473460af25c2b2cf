/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    pid_t first = child_that_waits();
    pid_t second = child_that_waits();
    CHECK(setpgid(first, first) == 0 && getpgid(first) == first);
    CHECK(setpgid(second, first) == 0 && getpgid(second) == first);
    CHECK(kill(-first, SIGTERM) == 0);
    check_killed(first, SIGTERM);
    check_killed(second, SIGTERM);
    FAILS(EINVAL, setpgid(0, -1));
    FAILS(ESRCH, setpgid(999999999, 0));
    FAILS(EPERM, setpgid(0, 999999999));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        pid_t child = child_that_waits();
        if (translated(door)) {
            CHECK(by(door, SYS_setpgid, child, child) == 0);
            CHECK(getpgid(child) == child);
        }
        CHECK(by(door, SYS_setpgid, 999999999, 0) == -ESRCH);
        CHECK(kill(child, SIGKILL) == 0);
        check_killed(child, SIGKILL);
    }
    show("group", first);
    return guest_end();
}
