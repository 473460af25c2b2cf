/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Between supervisor_wait.c and supervisor_hold.c.
 */
#ifndef DETRUN_LAUNCHER_SUPERVISOR_HOLD_H
#define DETRUN_LAUNCHER_SUPERVISOR_HOLD_H

#include "supervisor.h"

/* What the kernel itself returns from a wait that a signal ended: EINTR once a handler has run,
 * else the call starts again, and in the second case behind a handler with SA_RESTART too. Only
 * where a signal is sure to be there on the way out. */
#define ERESTARTNOHAND 514
#define ERESTARTSYS    512

bool hold_is_pi(int command);
bool hold_has_changed(const struct supervisor_hold *h, uint32_t word);

/** The clock stands at the deadline, or is beyond it already. */
void wait_reach(struct detrun_memory *m, struct detrun_task *task, enum detrun_family family,
                int64_t deadline);

/** The kernel is about to begin this sleep anew: it shall end when it would have. */
void wait_resume_later(struct supervisor *s, int32_t tid, const struct supervisor_hold *h);

#endif
