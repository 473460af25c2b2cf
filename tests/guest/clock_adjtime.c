/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/timex.h>

#include "guest.h"

int main(void)
{
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        struct timex tx = {0};
        long state = by(door, SYS_clock_adjtime, CLOCK_REALTIME, (long)&tx);
        CHECK(state >= TIME_OK && state <= TIME_ERROR && tx.tick > 0);
        if (supervised())
            show("seconds", tx.time.tv_sec);
        tx = (struct timex){.modes = ADJ_SETOFFSET};
        long moved = by(door, SYS_clock_adjtime, CLOCK_REALTIME, (long)&tx);
        CHECK(moved == -EPERM || (!supervised() && moved >= 0));
        CHECK(by(door, SYS_clock_adjtime, CLOCK_REALTIME, (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_clock_adjtime, CLOCK_MONOTONIC, (long)&tx) == -EOPNOTSUPP);
        CHECK(by(door, SYS_clock_adjtime, 99, (long)&tx) == -EINVAL);
    }
    return guest_end();
}
