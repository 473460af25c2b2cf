/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Message queues whose waits end at a time.
 */
#ifndef DETRUN_GUEST_QUEUE_H
#define DETRUN_GUEST_QUEUE_H

#include <fcntl.h>
#include <mqueue.h>

#include "guest_wait.h"

/** A queue with room for one message of eight bytes. */
static inline mqd_t small_queue(int flags)
{
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 8};
    char name[64];
    snprintf(name, sizeof(name), "/guest.%ld.%d", syscall(SYS_getpid), flags);
    mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR | flags, 0600, &small);
    CHECK(queue != (mqd_t)-1 && mq_unlink(name) == 0);
    return queue;
}

typedef int queue_wait(mqd_t queue, const struct timespec *deadline);

/** A wait for a queue that stays as it is ends at its deadline. */
static inline void check_deadlines(queue_wait *wait, mqd_t queue)
{
    static const long long ahead_ns[] = {-1000000000, 0, 1000000, 20000000};
    for (int i = 0; i < 4; i++) {
        long long before = clock_ns(CLOCK_REALTIME);
        struct timespec deadline = timespec_ns(before + ahead_ns[i]);
        FAILS(ETIMEDOUT, wait(queue, &deadline));
        long long moved = clock_ns(CLOCK_REALTIME) - before;
        CHECK(moved >= ahead_ns[i]);
        show("moved", under_detrun() ? moved : 0);
    }
}

static inline void check_refused(queue_wait *wait, mqd_t queue, mqd_t at_once)
{
    struct timespec bad = {.tv_nsec = 1000000000};
    struct timespec later = timespec_ns(clock_ns(CLOCK_REALTIME) + 10000000000);
    FAILS(EINVAL, wait(queue, &bad));
    FAILS(EFAULT, wait(queue, bad_pointer()));
    FAILS(EBADF, wait(-1, &later));
    FAILS(EAGAIN, wait(at_once, &later));
    alarm_in_ms(30);
    FAILS(EINTR, wait(queue, &later));
    alarm_off();
}

#endif
