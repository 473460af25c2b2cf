/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The keeper of the job's time. When every thread of the job is blocked, time moves to the earliest
 * deadline, and that one waiter is woken; the next move waits until all are blocked again.
 *
 * It looks only while somebody sleeps: at once after a move, then less and less often, so that a
 * short computation costs little delay and a long one little work.
 */
#ifndef DETRUN_LAUNCHER_KEEPER_H
#define DETRUN_LAUNCHER_KEEPER_H

#include "supervisor.h"

/** A thread is about to sleep, or one that was held is. */
void keeper_watch(struct supervisor *s);

/** May time-outs run out before their turn: is something awaited from outside, or has somebody
 *  computed for too long, or can the keeper not end waits of that process? */
bool keeper_lets_time_pass(struct supervisor *s, const struct detrun_task *process);

/** @return ns until the next look is due, after a look if it was; -1: nobody sleeps */
int64_t keeper_look(struct supervisor *s);

#endif
