/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_ms(int ms)
{
    return poll(NULL, 0, ms);
}

static int wait_on(int fd, int ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int n = poll(&ready, 1, ms);
    CHECK(n == 0 || ready.revents == POLLIN);
    return n;
}

int main(void)
{
    struct pollfd closed = {.fd = 999, .events = POLLIN};
    check_descriptor_wait(wait_ms, wait_on);
    CHECK(poll(&closed, 1, 10000) == 1 && closed.revents == POLLNVAL);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(by(door, SYS_poll, 0, 0, 5) == 0);
        if (moves(door))
            check_moved(before, 5000000);
        CHECK(by(door, SYS_poll, (long)bad_pointer(), 1, 5) == -EFAULT);
        CHECK(by(door, SYS_poll, (long)&closed, 100000000, 5) == -EINVAL);
    }
    return guest_end();
}
