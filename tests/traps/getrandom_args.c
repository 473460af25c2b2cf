/* SPDX-License-Identifier: MIT */
/* getrandom and getentropy: flags, sizes and addresses as the kernel takes them, by every way. */
#include "trap.h"

static void by_number(enum door door)
{
    unsigned char *edge = guarded(64);
    static unsigned char big[1 << 20];
    static const unsigned flags[] = {0, GRND_NONBLOCK, GRND_RANDOM, GRND_NONBLOCK | GRND_RANDOM,
                                     GRND_INSECURE};
    for (unsigned i = 0; i < sizeof(flags) / sizeof(*flags); i++)
        CHECK(by(door, SYS_getrandom, (long)edge, 64, flags[i]) == 64 && guard_holds(edge));
    CHECK(by(door, SYS_getrandom, (long)edge, 64, 8) == -EINVAL);
    CHECK(by(door, SYS_getrandom, (long)edge, 64, -1) == -EINVAL);
    CHECK(by(door, SYS_getrandom, (long)edge, 64, GRND_RANDOM | GRND_INSECURE) == -EINVAL);
    CHECK(by(door, SYS_getrandom, (long)bad_pointer(), 64, 8) == -EINVAL);
    CHECK(by(door, SYS_getrandom, (long)edge, 65, 0) == 64);
    CHECK(by(door, SYS_getrandom, (long)edge, 1 << 20, 0) == 64);
    CHECK(by(door, SYS_getrandom, (long)bad_pointer(), 64, 0) == -EFAULT);
    CHECK(by(door, SYS_getrandom, 0, 64, 0) == -EFAULT);
    CHECK(by(door, SYS_getrandom, 0, 0, 0) == 0);
    CHECK(by(door, SYS_getrandom, (long)edge, 0, 0) == 0);
    CHECK(by(door, SYS_getrandom, (long)big, sizeof(big), 0) == sizeof(big));
    check_distinct((struct block *)(void *)big, sizeof(big) / sizeof(struct block));
}

int main(void)
{
    unsigned char *bytes = guarded(300);
    CHECK(getentropy(bytes, 256) == 0 && guard_holds(bytes));
    CHECK(bytes[256] == 0xa5 && bytes[299] == 0xa5);
    FAILS(EIO, getentropy(bytes, 257));
    CHECK(getentropy(bytes, 0) == 0);
    FAILS(EFAULT, getentropy(bad_pointer(), 16));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        by_number(door);
    return guest_end();
}
