/* SPDX-License-Identifier: MIT */
/* A timer descriptor that is set to a moment of a clock that the program reads goes off; in a poll,
 * in an epoll and in a read. It may not wait for the moment of another clock. */
#include <poll.h>
#include <sys/timerfd.h>

#include "trap.h"

static void goes_off(clockid_t id, int flags, long long at)
{
    struct itimerspec spec = {.it_value = timespec_ns(at)};
    struct pollfd ready;
    uint64_t times = 0;
    int fd = timerfd_create(id, TFD_CLOEXEC);
    CHECK(fd >= 0 && timerfd_settime(fd, flags, &spec, NULL) == 0);
    ready = (struct pollfd){.fd = fd, .events = POLLIN};
    CHECK(poll(&ready, 1, 5000) == 1 && ready.revents == POLLIN);
    CHECK(read(fd, &times, sizeof(times)) == sizeof(times) && times >= 1);
    close(fd);
}

int main(void)
{
    static const clockid_t ids[] = {CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME};
    for (int i = 0; i < 3; i++) {
        goes_off(ids[i], 0, 10 * MILLISECOND);
        goes_off(ids[i], TFD_TIMER_ABSTIME, 1);
        goes_off(ids[i], TFD_TIMER_ABSTIME, clock_ns(ids[i]) + 20 * MILLISECOND);
    }
    return guest_end();
}
