/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The kernel's asynchronous input and output: waits for events that never come, and for one that
 * has.
 */
#ifndef DETRUN_GUEST_AIO_H
#define DETRUN_GUEST_AIO_H

#include <linux/aio_abi.h>

#include "guest_wait.h"

/** Waits for `least` of eight events; the value or -errno. */
typedef long events_wait(enum door door, aio_context_t context, long least, struct io_event *events,
                         struct timespec *timeout);

/** A read of /dev/zero is over as soon as it is asked for. */
static inline void submit_read(aio_context_t context, int fd)
{
    static char byte;
    struct iocb read_it = {
        .aio_lio_opcode = IOCB_CMD_PREAD,
        .aio_fildes = (uint32_t)fd,
        .aio_buf = (uintptr_t)&byte,
        .aio_nbytes = 1,
    };
    struct iocb *list[] = {&read_it};
    CHECK(syscall(SYS_io_submit, context, 1L, list) == 1);
}

static inline void check_events(events_wait *wait, enum door door, aio_context_t context, int fd)
{
    static const int waits_ms[] = {0, 1, 20};
    struct io_event events[8];
    struct timespec ten = timespec_ns(10000000000);
    struct timespec five = timespec_ns(5000000);
    for (int i = 0; i < 3; i++) {
        struct timespec timeout = timespec_ns(waits_ms[i] * 1000000LL);
        long long before = clock_ns(CLOCK_MONOTONIC);
        CHECK(wait(door, context, 1, events, &timeout) == 0);
        if (moves(door))
            check_moved(before, waits_ms[i] * 1000000LL);
    }
    submit_read(context, fd);
    CHECK(wait(door, context, 1, events, &ten) == 1);
    submit_read(context, fd);
    CHECK(wait(door, context, 1, events, NULL) == 1);
    submit_read(context, fd);
    CHECK(wait(door, context, 2, events, &five) == 1);
    CHECK(wait(door, context, 1, events, bad_pointer()) == -EFAULT);
    CHECK(wait(door, 1, 1, events, &ten) == -EINVAL);
    alarm_in_ms(30);
    CHECK(wait(door, context, 1, events, &ten) == -EINTR);
    alarm_off();
}

static inline int check_all_events(events_wait *wait)
{
    aio_context_t context = 0;
    FILE *zero = fopen("/dev/zero", "r");
    CHECK(zero);
    if (syscall(SYS_io_setup, 8, &context) == 0)
        for (enum door door = BY_SYSCALL; door < DOORS; door++)
            check_events(wait, door, context, fileno(zero));
    else
        CHECK(errno == ENOSYS); /* a kernel without it */
    return guest_end();
}

#endif
