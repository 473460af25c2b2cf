/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Virtual clocks of one task: pure arithmetic on its record. Times are nanoseconds.
 *
 * A view is start + base + what reads moved; the CPU family leaves the base out. The base is what
 * was slept, by the task itself or by whom it waited for. Context: the task itself, its signal
 * handlers, or the supervisor while the task is held in a notification.
 */
#ifndef DETRUN_CORE_CLOCK_H
#define DETRUN_CORE_CLOCK_H

#include "detrun/abi.h"

/**
 * The spin guard: after this many reads of a clock whose step is below CLOCK_GUARD_STEP_NS, with
 * no wait in between, each further read moves it, faster and faster. Part of every answer: a
 * change raises DETRUN_STREAM_VERSION.
 */
#define CLOCK_GUARD_READS 8192U
#define CLOCK_GUARD_STEP_NS UINT64_C(100000)

/** One read: moves the family by its step and returns the new time. */
int64_t clock_read(struct detrun_memory *m, struct detrun_task *t, enum detrun_family family);

/** The same time, without a read. */
int64_t clock_view(const struct detrun_memory *m, const struct detrun_task *t,
                   enum detrun_family family);

/** The task slept for exactly this long. Reaped children's time comes due as well. */
void clock_sleep(struct detrun_task *t, uint64_t ns);

/** A wait ended at its deadline: the view is there at least. */
void clock_reach(const struct detrun_memory *m, struct detrun_task *t, enum detrun_family family,
                 int64_t deadline);

/** A wait was ended by a task whose base was this one (a Lamport edge). */
void clock_raise(struct detrun_task *t, uint64_t base);

/** A new task starts where its creator stands. */
void clock_inherit(struct detrun_task *child, const struct detrun_task *creator);

/** A blocking wait or join saw this task end: nothing is earlier than its last reading. */
void clock_join(struct detrun_task *t, const struct detrun_task *ended);

/** The task reaped this one without blocking: nothing shows before its next wait. */
void clock_defer(struct detrun_task *t, const struct detrun_task *ended);

/** A blocking wait ended: what was deferred comes due. */
void clock_settle(struct detrun_task *t);

#endif
