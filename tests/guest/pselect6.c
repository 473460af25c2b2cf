/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

int main(void)
{
    struct timespec bad = {.tv_nsec = 1000000000};
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        struct timespec timeout = timespec_ns(5000000);
        fd_set reads;
        int fd = full_pipe();
        FD_ZERO(&reads);
        FD_SET(fd, &reads);
        CHECK(by(door, SYS_pselect6, fd + 1, (long)&reads, 0, 0, (long)&timeout, 0) == 1);
        timeout = timespec_ns(5000000);
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(by(door, SYS_pselect6, 0, 0, 0, 0, (long)&timeout, 0) == 0);
        CHECK(timeout.tv_sec == 0 && timeout.tv_nsec == 0);
        if (moves(door))
            check_moved(before, 5000000);
        CHECK(by(door, SYS_pselect6, 0, 0, 0, 0, (long)&bad, 0) == -EINVAL);
        CHECK(by(door, SYS_pselect6, 0, 0, 0, 0, (long)bad_pointer(), 0) == -EFAULT);
        CHECK(by(door, SYS_pselect6, -1, 0, 0, 0, (long)&timeout, 0) == -EINVAL);
    }
    return guest_end();
}
