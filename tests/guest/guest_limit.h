/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Time limits of sockets: a call that waits for one ends with EAGAIN when it is over.
 */
#ifndef DETRUN_GUEST_LIMIT_H
#define DETRUN_GUEST_LIMIT_H

#include <fcntl.h>
#include <sys/socket.h>

#include "guest_wait.h"

/** One byte in or out; the value or -1 and errno. */
typedef long limited_call(int fd);

static inline void limit(int fd, int option, long long ns)
{
    struct timeval tv = {.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000};
    CHECK(setsockopt(fd, SOL_SOCKET, option, &tv, sizeof(tv)) == 0);
}

static inline void socket_pair(int ends[2], bool full)
{
    static const char zeros[4096];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    while (full && send(ends[0], zeros, sizeof(zeros), MSG_DONTWAIT) > 0)
        ;
}

/** Nothing comes, or nobody makes room. */
static inline void check_limits(limited_call *call, int fd, int option)
{
    static const int limits_us[] = {1, 3000, 20000};
    for (int i = 0; i < 3; i++) {
        limit(fd, option, limits_us[i] * 1000LL);
        long long before = clock_ns(CLOCK_MONOTONIC);
        FAILS(EAGAIN, call(fd));
        check_moved(before, limits_us[i] * 1000LL);
    }
    int copy = dup(fd);
    long long before = clock_ns(CLOCK_MONOTONIC);
    FAILS(EAGAIN, call(copy));
    CHECK(clock_ns(CLOCK_MONOTONIC) - before >= 20000000 && close(copy) == 0);
    limit(fd, option, 3600000000000);
    CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    before = clock_ns(CLOCK_MONOTONIC);
    FAILS(EAGAIN, call(fd));
    CHECK(!under_detrun() || clock_ns(CLOCK_MONOTONIC) == before);
    CHECK(fcntl(fd, F_SETFL, 0) == 0);
}

static inline int check_receiver(limited_call *call)
{
    int ends[2];
    socket_pair(ends, false);
    check_limits(call, ends[0], SO_RCVTIMEO);
    CHECK(send(ends[1], "x", 1, 0) == 1 && call(ends[0]) == 1);
    CHECK(close(ends[1]) == 0 && call(ends[0]) == 0);
    return guest_end();
}

static inline int check_sender(limited_call *call)
{
    int ends[2];
    socket_pair(ends, true);
    check_limits(call, ends[0], SO_SNDTIMEO);
    socket_pair(ends, false);
    limit(ends[0], SO_SNDTIMEO, 3600000000000);
    CHECK(call(ends[0]) == 1);
    return guest_end();
}

#endif
