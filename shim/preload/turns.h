/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Turns: a thread whose time-out runs out goes on only when no thread of its process that stands
 * earlier in virtual time is running, as if computing took no time; equal ones go in the order in
 * which they were made.
 *
 * Real time bounds it, so that nothing hangs and nobody starves: a thread holds others back for
 * TURNS_LIMIT after it was seen to go on (all together for TURNS_PATIENCE at most), and for
 * TURNS_EVENT_LIMIT while it waits on a futex (most such waits are for a lock that is about to be
 * free). Order is all that is touched. Processes with one thread pay nothing, nor does --real
 * sleep; of more than 64 threads the rest goes on unordered.
 */
#ifndef DETRUN_SHIM_TURNS_H
#define DETRUN_SHIM_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#define TURNS_LIMIT       INT64_C(200000000) /**< ns of real time */
#define TURNS_PATIENCE    INT64_C(2000000000)
#define TURNS_EVENT_LIMIT INT64_C(2000000) /**< ns of real time */

struct detrun_task;

/** A thread is about to be made: it is running from now on. By its creator. */
void turns_born(struct detrun_task *child);

/** The calling thread ends, or its creation failed. */
void turns_end(struct detrun_task *t);

/**
 * The calling thread waits for an event (input, a child; a futex, which may be a lock); it goes on.
 * A few stores in processes with threads.
 */
void turns_pause(struct detrun_task *t);
void turns_pause_on(struct detrun_task *t, const uint32_t *word);
void turns_resume(struct detrun_task *t);

/** The calling thread sleeps; its base will be `target` when that runs out. word: its futex, or
 * NULL. */
void turns_sleep(struct detrun_task *t, uint64_t target, const uint32_t *word);

/** The calling thread is about to wake n waiters of a futex: from now on they are running, though a
 * busy machine may let them wait for a processor. */
void turns_woken(const uint32_t *word, uint32_t n);

enum turns_end {
    TURNS_IN_TIME,
    TURNS_PREMATURE, /**< an earlier thread is running still */
    TURNS_EVENT,     /**< what the thread waited for has come meanwhile */
};

/**
 * The sleep ran out: let the earlier ones go on first. One of them may bring what the thread waits
 * for: it would have, had computing taken no time.
 * @param word   the futex it waited on while that was `value`; NULL: nothing that shows in memory
 */
enum turns_end turns_wake(struct detrun_task *t, const uint32_t *word, uint32_t value);

/** In a fork's child: the other threads are not its own. */
void turns_forget(void);

#endif
