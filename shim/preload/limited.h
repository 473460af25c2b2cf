/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Time limits that stand in a socket, SO_RCVTIMEO and SO_SNDTIMEO. Only in a process that has set
 * one is anything looked at, and then the kernel is asked for the descriptor's: a copy, an accepted
 * connection and a child's have it as well.
 */
#ifndef DETRUN_SHIM_LIMITED_H
#define DETRUN_SHIM_LIMITED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

struct detrun_task;

/** This process has set a limit. */
extern bool limited_any;

/** A call that may wait. */
struct limited {
    struct detrun_task *task; /**< NULL: it has no limit, or will not wait */
    int64_t ns;
};

/** setsockopt has succeeded. */
void limited_set(int fd, int name, const struct timeval *limit);

struct limited limited_look(int fd, bool sends, int flags);

/** @param sends  SO_SNDTIMEO counts. @param flags  MSG_ */
static inline struct limited limited_begin(int fd, bool sends, int flags)
{
    return __builtin_expect(limited_any, 0) ? limited_look(fd, sends, flags) : (struct limited){0};
}

/** The kernel has ended the call at its limit, but the job's time is not there: again. */
bool limited_again(const struct limited *l, long result);

/** @return result */
long limited_end(const struct limited *l, long result);

#endif
