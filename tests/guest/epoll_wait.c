/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_on(int fd, int ms)
{
    struct epoll_event *event = guarded(sizeof(*event));
    int n = epoll_wait(epoll_on(fd), event, 1, ms);
    CHECK(guard_holds(event) && (n <= 0 || event->data.u64 == 42));
    return n;
}

static int wait_ms(int ms)
{
    return wait_on(empty_pipe(), ms);
}

int main(void)
{
    struct epoll_event event;
    check_descriptor_wait(wait_ms, wait_on);
    int set = epoll_on(empty_pipe());
    FAILS(EINVAL, epoll_wait(set, &event, 0, 10));
    FAILS(EBADF, epoll_wait(-1, &event, 1, 10));
    FAILS(EINVAL, epoll_wait(0, &event, 1, 10));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(by(door, SYS_epoll_wait, set, (long)&event, 1, 5) == 0);
        if (moves(door))
            check_moved(before, 5000000);
        CHECK(by(door, SYS_epoll_wait, epoll_on(full_pipe()), (long)bad_pointer(), 1, 5) ==
              -EFAULT);
        CHECK(by(door, SYS_epoll_wait, set, (long)&event, -1, 5) == -EINVAL);
    }
    return guest_end();
}
