/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Around libc's timed waits of threads. glibc's end in its futex sites, which are armed here;
 * musl's in bare system calls, which have none: what they wait for is told here.
 */
#ifndef DETRUN_SHIM_LOCK_WAIT_H
#define DETRUN_SHIM_LOCK_WAIT_H

#include <time.h>

#include "timed.h"

/** musl looks at the clock itself, and asks the kernel for what is left. */
struct lock_wait {
    struct detrun_task *task; /**< NULL: it needs nothing of us */
    struct timed_until until;
    struct timespec deadline; /**< as far behind the caller's as the kernel may wait longer */
};

struct lock_wait lock_wait_begin(clockid_t id, const struct timespec *deadline);

/** The deadline to give to libc. */
static inline const struct timespec *lock_wait_deadline(const struct lock_wait *w,
                                                        const struct timespec *deadline)
{
    return w->task ? &w->deadline : deadline;
}

/** @return error, an error number */
long lock_wait_end(const struct lock_wait *w, long error);

#endif
