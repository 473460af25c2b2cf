/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Waits with a time-out that signals end. They move nothing: when a signal comes is timing. But who
 * goes on waiting until its clock is there, while a timer ticks faster than that, would wait for
 * ever. So after INTERRUPTS_FREE of them in a row, with no wait that ended otherwise, each moves
 * the view: 1 ms, twice as much each time, 1 s at most, and no further than its own time-out. The
 * numbers are part of the answer.
 */
#ifndef DETRUN_SHIM_INTERRUPTS_H
#define DETRUN_SHIM_INTERRUPTS_H

#include <stdint.h>

#include "detrun/abi.h"

#define INTERRUPTS_FREE 64U

/** A wait of this thread has ended. @param timeout_ns what it would have waited, 0: for ever */
void interrupts_count(struct detrun_task *t, long result, uint64_t timeout_ns);

#endif
