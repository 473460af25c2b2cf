/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/time.h>

#include "guest.h"

int main(void)
{
    struct timeval *tv = guarded(sizeof(*tv));
    struct timezone *zone = guarded(sizeof(*zone));
    CHECK(gettimeofday(tv, NULL) == 0 && guard_holds(tv));
    show("libc", tv->tv_sec * 1000000 + tv->tv_usec);
    CHECK(gettimeofday(tv, zone) == 0 && guard_holds(zone));
    show("west", zone->tz_minuteswest);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_gettimeofday, (long)tv, (long)zone) == 0);
        CHECK(guard_holds(tv) && tv->tv_usec >= 0 && tv->tv_usec < 1000000);
        if (answered(door))
            show("by number", tv->tv_sec * 1000000 + tv->tv_usec);
        CHECK(by(door, SYS_gettimeofday, 0, 0) == 0);
        CHECK(by(door, SYS_gettimeofday, 0, (long)zone) == 0);
        CHECK(by(door, SYS_gettimeofday, (long)bad_pointer(), 0) == -EFAULT);
        CHECK(by(door, SYS_gettimeofday, (long)tv, (long)bad_pointer()) == -EFAULT);
    }
    return guest_end();
}
