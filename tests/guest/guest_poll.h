/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Waits for descriptors: on nothing, on a pipe that has something, on bad arguments.
 */
#ifndef DETRUN_GUEST_POLL_H
#define DETRUN_GUEST_POLL_H

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "guest_wait.h"

/** A pipe that one byte waits in. */
static inline int full_pipe(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    return ends[0];
}

static inline int empty_pipe(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    return ends[0];
}

static inline int epoll_on(int fd)
{
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 42};
    CHECK(set >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0);
    return set;
}

/** wait_on(fd, ms) returns 1 when fd has something, 0 at time-out, by libc's function. */
static inline void check_descriptor_wait(int (*wait_ms)(int ms), int (*wait_on)(int fd, int ms))
{
    check_timeouts(wait_ms);
    check_interrupted(wait_ms);
    check_ticks(wait_ms);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(wait_on(full_pipe(), 10000) == 1);
    CHECK(wait_on(full_pipe(), -1) == 1);
    CHECK(!under_detrun() || clock_ns(CLOCK_MONOTONIC) == before);
    before = clock_ns(CLOCK_MONOTONIC);
    CHECK(wait_on(empty_pipe(), 5) == 0);
    check_moved(before, 5000000);
}

#endif
