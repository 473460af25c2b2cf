/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Who in the job waits for a time to come: threads that say so in their records, those of images
 * without shim that asked the kernel for it, and requests that the supervisor holds.
 */
#ifndef DETRUN_LAUNCHER_SLEEPERS_H
#define DETRUN_LAUNCHER_SLEEPERS_H

#include "supervisor.h"

struct sleeper {
    struct supervisor_job *job;
    struct detrun_task *task;       /**< whose clock moves */
    struct supervisor_wait *wait;   /**< an image's without shim; else NULL */
    struct supervisor_hold *hold;   /**< a held request; else NULL */
    struct supervisor_timer *timer; /**< a timer, of the process whose record that is; else NULL */
    int32_t tid;
    uint32_t beat;
    uint64_t target; /**< job time, ns from its start */
};

/**
 * The one with the earliest target; of equal ones the first in the order of creation.
 * @param absent  set to a mark of those before it that do not wait, though they told so, and what
 *                they have done until now; 0: none
 */
bool sleepers_first(struct supervisor *s, struct sleeper *first, uint64_t *absent);

/** Is there one, be it stopped just now? Nobody tells when it is continued. */
bool sleepers_any(struct supervisor *s);

/** The real time by which the kernel itself would end the wait, as far as anybody has seen. */
uint64_t sleepers_due_ns(const struct sleeper *sleeper, uint64_t now);

/** Only the kernel ends its wait. */
bool sleepers_unreachable(const struct sleeper *sleeper);

/**
 * End its wait.
 * @param in_turn  all others are blocked: the job's time moves with it
 */
void sleepers_release(struct supervisor *s, const struct sleeper *sleeper, bool in_turn);

#endif
