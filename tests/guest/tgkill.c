/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

int main(void)
{
    on_signal(SIGUSR1);
    CHECK(tgkill(getpid(), gettid(), SIGUSR1) == 0 && signals_seen == 1);
    CHECK(tgkill(getpid(), gettid(), 0) == 0);
    FAILS(EINVAL, tgkill(getpid(), gettid(), 65));
    FAILS(EINVAL, tgkill(-1, gettid(), 0));
    FAILS(ESRCH, tgkill(getpid(), 999999999, 0));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        signals_seen = 0;
        if (answered(door)) {
            CHECK(by(door, SYS_tgkill, getpid(), gettid(), SIGUSR1) == 0);
            CHECK(signals_seen == 1);
        }
        CHECK(by(door, SYS_tgkill, 999999999, 999999999, 0) == -ESRCH);
    }
    CHECK(pthread_kill(pthread_self(), 0) == 0);
    show("pid", getpid());
    return guest_end();
}
