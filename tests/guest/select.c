/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_on(int fd, int ms)
{
    fd_set reads;
    struct timeval timeout = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    FD_ZERO(&reads);
    FD_SET(fd, &reads);
    return select(fd + 1, &reads, NULL, NULL, ms < 0 ? NULL : &timeout);
}

/* Linux gives back what is left of the time: nothing, at the end of it. */
static int wait_ms(int ms)
{
    struct timeval timeout = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    int n = select(0, NULL, NULL, NULL, &timeout);
    CHECK(n != 0 || (timeout.tv_sec == 0 && timeout.tv_usec == 0));
    return n;
}

int main(void)
{
    struct timeval bad = {.tv_sec = -1};
    struct timeval zero = {0};
    fd_set closed;
    FD_ZERO(&closed);
    int number = full_pipe();
    FD_SET(number, &closed);
    check_descriptor_wait(wait_ms, wait_on);
    FAILS(EINVAL, select(0, NULL, NULL, NULL, &bad));
    FAILS(EINVAL, select(-1, NULL, NULL, NULL, &zero));
    CHECK(close(number) == 0);
    FAILS(EBADF, select(number + 1, &closed, NULL, NULL, &zero));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        struct timeval timeout = {.tv_usec = 5000};
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(by(door, SYS_select, 0, 0, 0, 0, (long)&timeout) == 0);
        if (moves(door))
            check_moved(before, 5000000);
        CHECK(by(door, SYS_select, 0, 0, 0, 0, (long)bad_pointer()) == -EFAULT);
    }
    return guest_end();
}
