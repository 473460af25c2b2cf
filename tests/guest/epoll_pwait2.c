/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_on(int fd, int ms)
{
    struct epoll_event event;
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    return epoll_pwait2(epoll_on(fd), &event, 1, ms < 0 ? NULL : &timeout, NULL);
}

static int wait_ms(int ms)
{
    return wait_on(empty_pipe(), ms);
}

static int wait_on_number(int fd, int ms)
{
    struct epoll_event event;
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    return (int)syscall(SYS_epoll_pwait2, epoll_on(fd), &event, 1, ms < 0 ? NULL : &timeout, NULL,
                        8);
}

static int wait_ms_number(int ms)
{
    return wait_on_number(empty_pipe(), ms);
}

int main(void)
{
    struct epoll_event event;
    struct timespec bad = {.tv_nsec = 1000000000};
    check_descriptor_wait(wait_ms, wait_on);
    check_descriptor_wait(wait_ms_number, wait_on_number);
    FAILS(EINVAL, epoll_pwait2(epoll_on(empty_pipe()), &event, 1, &bad, NULL));
    return guest_end();
}
