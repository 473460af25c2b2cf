/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_on(int fd, int ms)
{
    struct epoll_event event;
    return epoll_pwait(epoll_on(fd), &event, 1, ms, NULL);
}

static int wait_ms(int ms)
{
    return wait_on(empty_pipe(), ms);
}

int main(void)
{
    struct epoll_event event;
    sigset_t all;
    int set = epoll_on(empty_pipe());
    check_descriptor_wait(wait_ms, wait_on);
    FAILS(EINVAL, epoll_pwait(set, &event, 0, 10, NULL));
    sigfillset(&all);
    alarm_in_ms(5);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(epoll_pwait(set, &event, 1, 40, &all) == 0);
    alarm_off();
    check_moved(before, 40000000);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        before = clock_ns(CLOCK_MONOTONIC);
        CHECK(by(door, SYS_epoll_pwait, set, (long)&event, 1, 5, 0, 8) == 0);
        if (moves(door))
            check_moved(before, 5000000);
    }
    return guest_end();
}
