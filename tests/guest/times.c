/* SPDX-License-Identifier: MIT */
#include <sys/times.h>

#include "guest.h"

int main(void)
{
    struct tms *out = guarded(sizeof(*out));
    clock_t first = times(out);
    CHECK(first != (clock_t)-1 && guard_holds(out));
    show("ticks", first);
    show("user", out->tms_utime);
    show("children", out->tms_cutime + out->tms_cstime);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long ticks = by(door, SYS_times, (long)out);
        CHECK(guard_holds(out) && by(door, SYS_times, 0) >= ticks);
        CHECK(by(door, SYS_times, (long)bad_pointer()) == -EFAULT);
        if (answered(door))
            show("by number", ticks);
    }
    return guest_end();
}
