/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the threads of a job tell of their waits, and how a time-out runs out.
 *
 * Each thread says in its record of the job memory what it does. The supervisor's keeper
 * (launcher/keeper.c) moves the job's time when every thread is blocked: to the earliest target,
 * whose thread it then wakes. Until then a sleeper stays in its wait, so that an event still finds
 * it there; the time-out that it gives the kernel is a backstop far behind.
 *
 * Without a supervisor, with --real sleep, or where the keeper may not reach the thread, the
 * kernel's time-out ends the wait.
 */
#ifndef DETRUN_SHIM_WAITS_H
#define DETRUN_SHIM_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "detrun/abi.h"

/** The calling thread waits for an event (input, a child, a futex); it goes on. */
void waits_pause(struct detrun_task *t, enum detrun_waits_on on);
void waits_resume(struct detrun_task *t);

/**
 * The calling thread is about to wait for an event, ns at most.
 * @return the time-out to give to the kernel, ns
 */
int64_t waits_sleep(struct detrun_task *t, enum detrun_waits_on on, int64_t ns);

/** The next wait is on this futex, private to the process; a call is about to wake waiters. */
enum detrun_waits_on waits_on_futex(struct detrun_task *t, const struct detrun_futex *futex);
void waits_wake(struct detrun_futex *futex);

/**
 * Wait until nobody else in the job computes, while time stands still: what the caller then looks
 * at does not hang on how fast they were. Not more than some times between two moves of time, and
 * once where they compute for long.
 * @return false: it has not waited
 */
bool waits_settle(struct detrun_task *t);

/** A signal is about to be sent. */
void waits_signal(void);

/** That time-out has run out, or the keeper has ended the wait: who may be told so? */
enum waits_end {
    WAITS_IN_TIME,
    WAITS_EARLY, /**< others are computing still, and have for long */
    WAITS_EVENT, /**< what the thread waited for has come meanwhile */
};
/** @param word  the futex it waited on while that was `value`; NULL: nothing that shows in memory
 */
enum waits_end waits_run_out(struct detrun_task *t, const uint32_t *word, uint32_t value);

/**
 * The calling thread looks for events without waiting. Does it so for the second time since a
 * time-out of more than 1 ns ran out in turn?
 */
bool waits_looks_again(const struct detrun_task *t);

/** The job time at which a wait of ns that begins now will end. */
uint64_t waits_target(const struct detrun_task *t, int64_t ns);

/** Something ended a wait before its target. @return how much of its time is left, ns */
int64_t waits_left(const struct detrun_task *t, uint64_t target, int64_t ns);

/**
 * A sleep that nothing but a signal ends: on the word that the keeper changes.
 * @param ns  the kernel's time-out, ns
 * @return 0 once the time is up, or -EINTR
 */
long waits_on_keeper(struct detrun_task *t, int64_t ns);

/** It ended because a signal's handler had waited, just before: it has to begin anew. */
bool waits_were_disturbed(const struct detrun_task *t);

/** Is the calling thread's sleep the keeper's to end? */
bool waits_are_kept(const struct detrun_task *t);

#endif
