/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <poll.h>
#include <sys/epoll.h>

#include "guest_timerfd.h"

static long set(enum way way, int fd, int flags, const struct itimerspec *new,
                struct itimerspec *old)
{
    if (way == BY_LIBC)
        return LIBC(timerfd_settime(fd, flags, new, old));
    return by((enum door)way, SYS_timerfd_settime, fd, flags, (long)new, (long)old);
}

static void check_errors(enum way way, int fd)
{
    struct itimerspec good = spec_ns(90000 * MS, 7 * MS);
    struct itimerspec bad[] = {
        {.it_value = {0, 1000000000}},    {.it_value = {0, -1}},    {.it_value = {-1, 0}},
        {.it_interval = {0, 1000000000}}, {.it_interval = {-1, 0}},
    };
    CHECK(set(way, fd, 0, &good, NULL) == 0);
    for (int i = 0; i < 5; i++)
        CHECK(set(way, fd, 0, &bad[i], NULL) == -EINVAL);
    CHECK(set(way, 999, 0, bad_pointer(), NULL) == -EFAULT);
    CHECK(set(way, 999, 0, &bad[0], NULL) == -EINVAL);
    CHECK(set(way, fd, 4, &good, NULL) == -EINVAL);
    CHECK(set(way, 999, 0, &good, NULL) == -EBADF);
    CHECK(set(way, -1, 0, &good, NULL) == -EBADF);
    CHECK(set(way, 1, 0, &good, NULL) == -EINVAL);
    check_spec(get_timerfd(fd), 90000 * MS, 7 * MS);
    good = spec_ns(80000 * MS, 0);
    CHECK(set(way, fd, 0, &good, bad_pointer()) == -EFAULT);
    check_spec(get_timerfd(fd), 80000 * MS, 0);
}

/* What has not been read is forgotten. */
static void check_off(enum way way, int fd)
{
    struct itimerspec on = spec_ns(10 * MS, 50000 * MS);
    struct itimerspec off = spec_ns(0, 3 * MS);
    struct itimerspec *old = guarded(sizeof(*old));
    CHECK(set(way, fd, 0, &on, NULL) == 0 && usleep(40000) == 0);
    CHECK(set(way, fd, 0, &off, old) == 0 && guard_holds(old));
    check_spec(*old, 49970 * MS, 50000 * MS);
    CHECK(has_no_ticks(fd));
    CHECK(set(way, fd, 0, &on, old) == 0);
    check_spec(*old, 0, 3 * MS);
    CHECK(has_no_ticks(fd));
}

static int poll_it(int fd, int ms)
{
    struct pollfd pollfd = {.fd = fd, .events = POLLIN};
    return poll(&pollfd, 1, ms);
}

static void check_poll(enum way way, int fd)
{
    long long before = clock_ns(CLOCK_MONOTONIC);
    struct itimerspec soon = spec_ns(30 * MS, 0);
    CHECK(set(way, fd, 0, &soon, NULL) == 0);
    CHECK(!supervised() || (poll_it(fd, 0) == 0 && poll_it(fd, 5) == 0));
    CHECK(poll_it(fd, 60000) == 1);
    if (supervised())
        check_since(before, 30 * MS);
    CHECK(read_ticks(fd) == 1 && has_no_ticks(fd));
    CHECK(poll_it(fd, 20) == 0);
}

static void check_epoll(enum way way, int fd)
{
    struct itimerspec ticks = spec_ns(20 * MS, 10 * MS);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 12};
    int epoll = epoll_create1(0);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
    CHECK(set(way, fd, 0, &ticks, NULL) == 0);
    for (uint64_t seen = 0; seen < 4; seen += read_ticks(fd)) {
        memset(&event, 0, sizeof(event));
        CHECK(epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u64 == 12);
    }
    if (supervised())
        check_since(before, 50 * MS);
    close(epoll);
}

/* They add up, and go on from where they were. */
static void check_count(enum way way, int fd)
{
    struct itimerspec ticks = spec_ns(10 * MS, 10 * MS);
    CHECK(set(way, fd, 0, &ticks, NULL) == 0 && usleep(55000) == 0);
    uint64_t n = read_ticks(fd);
    CHECK(n >= 5 && (!supervised() || n == 5));
    CHECK(usleep(20000) == 0);
    n = read_ticks(fd);
    CHECK(n >= 2 && (!supervised() || n == 2));
}

static void check_absolute(enum way way, clockid_t clock)
{
    int fd = make_timerfd(clock, 0);
    long long start = clock_ns(clock);
    struct itimerspec then = spec_ns(start + 40 * MS, 0);
    CHECK(set(way, fd, TFD_TIMER_ABSTIME, &then, NULL) == 0);
    CHECK(read_ticks(fd) == 1 && clock_ns(clock) >= start + 40 * MS);
    then = spec_ns(clock_ns(clock) - 95000 * MS, 10000 * MS);
    CHECK(set(way, fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &then, NULL) == 0);
    CHECK(poll_it(fd, 0) == 1 && read_ticks(fd) == 10);
    check_spec(get_timerfd(fd), 5000 * MS, 10000 * MS);
    then = spec_ns(1, 0);
    CHECK(set(way, fd, TFD_TIMER_ABSTIME, &then, NULL) == 0);
    CHECK(poll_it(fd, 0) == 1 && read_ticks(fd) == 1);
    close(fd);
}

/* One timer, whoever has it open. */
static void check_shared(enum way way, int fd)
{
    struct itimerspec soon = spec_ns(10 * MS, 0);
    struct itimerspec late = spec_ns(500000 * MS, 0);
    struct itimerspec old;
    int other = dup(fd);
    CHECK(set(way, fd, 0, &late, NULL) == 0);
    CHECK(set(way, other, 0, &soon, &old) == 0);
    check_spec(old, 500000 * MS, 0);
    CHECK(poll_it(fd, -1) == 1 && read_ticks(other) == 1);
    CHECK(set(way, fd, 0, &late, NULL) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit(set(way, fd, 0, &soon, NULL) == 0 ? 0 : 1);
    check_exit(pid, 0);
    CHECK(poll_it(fd, -1) == 1 && read_ticks(fd) == 1);
    close(other);
}

int main(void)
{
    for (enum way way = 0; way < WAYS; way++) {
        int fd = make_timerfd(CLOCK_MONOTONIC, TFD_NONBLOCK);
        check_errors(way, fd);
        check_off(way, fd);
        check_poll(way, fd);
        check_epoll(way, fd);
        check_count(way, fd);
        check_shared(way, fd);
        close(fd);
        if (!under_detrun() || supervised()) {
            check_absolute(way, CLOCK_MONOTONIC);
            check_absolute(way, CLOCK_REALTIME);
            check_absolute(way, CLOCK_BOOTTIME);
        }
    }
    return guest_end();
}
