/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_on(int fd, int ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    return ppoll(&ready, 1, ms < 0 ? NULL : &timeout, NULL);
}

static int wait_ms(int ms)
{
    return wait_on(-1, ms);
}

int main(void)
{
    struct timespec bad = {.tv_nsec = 1000000000};
    check_descriptor_wait(wait_ms, wait_on);
    FAILS(EINVAL, ppoll(NULL, 0, &bad, NULL));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        struct timespec timeout = timespec_ns(5000000);
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(by(door, SYS_ppoll, 0, 0, (long)&timeout, 0, 8) == 0);
        CHECK(timeout.tv_sec == 0 && timeout.tv_nsec == 0);
        if (moves(door))
            check_moved(before, 5000000);
        CHECK(by(door, SYS_ppoll, 0, 0, (long)&bad, 0, 8) == -EINVAL);
        CHECK(by(door, SYS_ppoll, 0, 0, (long)bad_pointer(), 0, 8) == -EFAULT);
    }
    return guest_end();
}
