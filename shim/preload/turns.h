/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Turns: threads of one process whose time-outs run out go on in the order of their virtual
 * deadlines, equal ones in the order in which the threads were made.
 *
 * A thread that woke (or has just been made) has the turn until it waits again or ends; one that
 * wakes with a later deadline lets it finish first. Real time bounds every such wait (TURNS_LIMIT):
 * a thread that computes for long loses its turn, and nothing can hang. Only order is touched, no
 * clock.
 */
#ifndef DETRUN_SHIM_TURNS_H
#define DETRUN_SHIM_TURNS_H

#include <stdint.h>

struct detrun_task;

/** How long, in ns of real time, a turn holds others back. */
#define TURNS_LIMIT INT64_C(200000000)

/** A thread was made: it has the turn until its first wait. By its creator. */
void turns_born(struct detrun_task *child);

/**
 * The calling thread waits for an event, and has been woken by it: it keeps its turn for a little
 * while (TURNS_EVENT_LIMIT), because most such waits are for a lock that is about to be free.
 */
void turns_pause(struct detrun_task *t);
void turns_resume(struct detrun_task *t);
#define TURNS_EVENT_LIMIT INT64_C(10000000)

/** The calling thread ends, or its sleep was interrupted: it gives its turn up. */
void turns_yield(struct detrun_task *t);

/** The same, with a time-out: its base will be `target` when that runs out. */
void turns_sleep(struct detrun_task *t, uint64_t target);

/** The time-out ran out: wait for those before us, then take the turn. */
void turns_wake(struct detrun_task *t);

/** A fork's child has one thread: the turns of the others are not its own. */
void turns_forget(void);

#endif
