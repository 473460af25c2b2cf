/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timerfd.h"

static long get(enum way way, int fd, struct itimerspec *now)
{
    if (way == BY_LIBC)
        return LIBC(timerfd_gettime(fd, now));
    return by((enum door)way, SYS_timerfd_gettime, fd, (long)now);
}

static void check_errors(enum way way, int fd)
{
    CHECK(get(way, 999, bad_pointer()) == -EBADF);
    CHECK(get(way, -1, bad_pointer()) == -EBADF);
    CHECK(get(way, 1, bad_pointer()) == -EINVAL);
    CHECK(get(way, fd, bad_pointer()) == -EFAULT);
    set_timerfd(fd, 0, 10000 * MS, 0);
    CHECK(get(way, fd, bad_pointer()) == -EFAULT);
    set_timerfd(fd, 0, 0, 0);
}

static void check_left(enum way way, int fd)
{
    struct itimerspec *now = guarded(sizeof(*now));
    CHECK(get(way, fd, now) == 0 && guard_holds(now));
    check_spec(*now, 0, 0);
    set_timerfd(fd, 0, 60000 * MS, 7 * MS);
    CHECK(usleep(20000) == 0 && get(way, fd, now) == 0);
    check_spec(*now, 59980 * MS, 7 * MS);
    show("left", supervised() ? ns_of(now->it_value) : 0);
    set_timerfd(fd, 0, 10 * MS, 0);
    CHECK(usleep(30000) == 0 && get(way, fd, now) == 0);
    check_spec(*now, 0, 0);
    CHECK(read_ticks(fd) == 1);
    set_timerfd(fd, 0, 10 * MS, 30000 * MS);
    CHECK(usleep(30000) == 0 && get(way, fd, now) == 0);
    check_spec(*now, 29980 * MS, 30000 * MS);
    CHECK(read_ticks(fd) == 1 && get(way, fd, now) == 0);
    check_spec(*now, 29980 * MS, 30000 * MS);
}

int main(void)
{
    for (enum way way = 0; way < WAYS; way++) {
        int fd = make_timerfd(CLOCK_MONOTONIC, TFD_NONBLOCK);
        check_errors(way, fd);
        check_left(way, fd);
        close(fd);
    }
    return guest_end();
}
