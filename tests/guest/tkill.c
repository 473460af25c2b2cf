/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    on_signal(SIGUSR1);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        signals_seen = 0;
        if (answered(door)) {
            CHECK(by(door, SYS_tkill, gettid(), SIGUSR1) == 0 && signals_seen == 1);
            CHECK(by(door, SYS_tkill, gettid(), 65) == -EINVAL);
        }
        CHECK(by(door, SYS_tkill, 999999999, 0) == -ESRCH);
        CHECK(by(door, SYS_tkill, -1, 0) == -EINVAL);
    }
    show("tid", gettid());
    return guest_end();
}
