/* SPDX-License-Identifier: MIT */
#include <sys/random.h>

#include "guest.h"

static void check_door(enum door door)
{
    unsigned char *edge = guarded(100);
    static unsigned char big[1 << 20];
    CHECK(by(door, SYS_getrandom, (long)edge, 100, 0) == 100 && guard_holds(edge));
    if (answered(door))
        show_bytes("by number", edge, 100);
    CHECK(by(door, SYS_getrandom, (long)edge, 5000, 0) == 100);
    CHECK(by(door, SYS_getrandom, (long)edge, 0, 0) == 0);
    CHECK(by(door, SYS_getrandom, (long)bad_pointer(), 1, 0) == -EFAULT);
    CHECK(by(door, SYS_getrandom, (long)edge, 1, 99) == -EINVAL);
    CHECK(by(door, SYS_getrandom, (long)edge, 1, GRND_RANDOM | GRND_INSECURE) == -EINVAL);
    CHECK(by(door, SYS_getrandom, (long)big, sizeof(big), GRND_NONBLOCK) == sizeof(big));
    CHECK(memcmp(big, big + sizeof(big) / 2, 64) != 0);
    if (answered(door))
        show_bytes("big", big + sizeof(big) - 16, 16);
}

int main(void)
{
    unsigned char *edge = guarded(100);
    static const size_t lengths[] = {1, 7, 16, 100};
    for (int i = 0; i < 4; i++) {
        CHECK(getrandom(edge, lengths[i], 0) == (ssize_t)lengths[i]);
        show_bytes("libc", edge, lengths[i]);
    }
    CHECK(guard_holds(edge));
    CHECK(getrandom(edge, 16, GRND_NONBLOCK | GRND_RANDOM) == 16);
    CHECK(getrandom(edge, 16, GRND_INSECURE) == 16);
    FAILS(EINVAL, getrandom(edge, 1, 99));
    FAILS(EFAULT, getrandom(bad_pointer(), 16, 0));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_door(door);
    return guest_end();
}
