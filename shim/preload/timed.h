/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Waits for an event with a time limit, in the kernel's own calls: before and after such a call.
 * Lengths are nanoseconds; -1 waits for ever, 0 not at all.
 */
#ifndef DETRUN_SHIM_TIMED_H
#define DETRUN_SHIM_TIMED_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "detrun/abi.h"
#include "waits.h"

/** Readable, and what the kernel takes for a time. */
bool timed_is_valid(const struct timespec *ts);

/** As far as an int64_t goes. */
int64_t timed_ns(const struct timespec *ts);

/** The length that a relative time limit asks for; 0 of one that the kernel will refuse. */
int64_t timed_limit(const struct timespec *timeout);

/** @return the time limit to give to the kernel */
int64_t timed_begin(int64_t ns);

/** The same in a place of our own: the caller's may be read-only. */
struct timespec *timed_begin_ts(const struct timespec *timeout, int64_t ns, struct timespec *real);

/** The call's result is there; 0 says that the time has run out. @return result */
long timed_end(long result, int64_t ns);

/** The time that the calling thread has begun to wait for is there, and its view with it. */
void timed_ran_out(struct detrun_task *t, uint64_t ns);

/** So far ahead on the kernel's own clock of that family, for waits that have no relative form. */
struct timespec timed_real(enum detrun_family family, int64_t left);

/**
 * Every real wait ends a little late, and some programs wait again until it has. So who waits for a
 * time that has come, or looks without waiting twice after a time-out, waits so long, with all
 * others at rest. Not for ever: a loop of such waits needs others' time-outs to run out.
 */
#define OVERDUE_NS 1

/** How long to wait until a time of a virtual clock. */
int64_t timed_left(struct detrun_task *t, enum detrun_family family, int64_t deadline);

/** How long to look for events, where that is asked for. */
int64_t timed_look(int64_t ns);
int64_t timed_look_limit(const struct timespec *timeout);

/** A wait until a time of a virtual clock. */
struct timed_until {
    enum detrun_family family;
    int64_t deadline;
    int64_t left;    /**< of it, at the start */
    int64_t real_ns; /**< how long the kernel may wait, see timed_real() */
};

struct timed_until timed_begin_until(struct detrun_task *t, enum detrun_waits_on on,
                                     enum detrun_family family, const struct timespec *deadline);

/**
 * The call's result is there; -ETIMEDOUT says that the time has run out. Else the caller resumes,
 * once it has taken over what its waker hands on.
 * @param word  as in waits_run_out()
 * @return result, or 0: what was waited for has come all the same
 */
long timed_end_until(struct detrun_task *t, const struct timed_until *until, long result,
                     const uint32_t *word, uint32_t value);

#endif
