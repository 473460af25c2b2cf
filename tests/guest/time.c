/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    time_t *out = guarded(sizeof(*out));
    CHECK(time(out) == *out && *out > 0 && guard_holds(out));
    show("libc", *out);
    CHECK(time(NULL) >= *out);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long now = by(door, SYS_time, (long)out);
        CHECK(now == *out && guard_holds(out));
        CHECK(by(door, SYS_time, 0) >= now);
        CHECK(by(door, SYS_time, (long)bad_pointer()) == -EFAULT);
        if (answered(door))
            show("by number", now);
    }
    return guest_end();
}
