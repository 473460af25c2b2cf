/* SPDX-License-Identifier: MIT */
#include <sys/timex.h>

#include "guest.h"

/* seed: same */
static void check(struct timex *tx, long state, bool shown)
{
    CHECK(state >= TIME_OK && state <= TIME_ERROR);
    CHECK(tx->tick > 0 && tx->precision > 0 && tx->tolerance > 0);
    if (!shown)
        return;
    CHECK(state == TIME_ERROR && (tx->status & STA_UNSYNC) && tx->maxerror == 16000000);
    show("seconds", tx->time.tv_sec);
    show("microseconds", tx->time.tv_usec);
}

int main(void)
{
    struct timex tx = {0};
    check(&tx, adjtimex(&tx), supervised());
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        memset(&tx, 0, sizeof(tx));
        check(&tx, by(door, SYS_adjtimex, (long)&tx), supervised());
        tx = (struct timex){.modes = ADJ_OFFSET_SS_READ};
        CHECK(by(door, SYS_adjtimex, (long)&tx) >= 0);
        tx = (struct timex){.modes = ADJ_SETOFFSET};
        long moved = by(door, SYS_adjtimex, (long)&tx);
        CHECK(moved == -EPERM || (!supervised() && moved >= 0));
        CHECK(by(door, SYS_adjtimex, (long)bad_pointer()) == -EFAULT);
    }
    return guest_end();
}
