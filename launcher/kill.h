/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Signals to the whole job, for --timeout.
 */
#ifndef DETRUN_LAUNCHER_KILL_H
#define DETRUN_LAUNCHER_KILL_H

#include <stdint.h>
#include <sys/types.h>

#include "detrun/abi.h"

/** A job and what is inside it. */
struct kill_scope {
    const struct detrun_memory *memory;
    pid_t supervisor; /**< of the outermost job, which has the memories of those inside; or 0 */
};

/** To each process of one job that has a record. @return how many there are */
unsigned kill_recorded(const struct detrun_memory *m, int signal_number);

/** To each process of the job and of those inside it, and to the command. */
void kill_job(const struct kill_scope *scope, pid_t command, int signal_number);

/** Wait until the job is over or the time has come (0: now), then KILL what is left. */
void kill_rest(const struct kill_scope *scope, uint64_t deadline_ns);

#endif
