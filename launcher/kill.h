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

/** To each process of the job that has a record, and to the command. @return how many there are */
unsigned kill_job(const struct detrun_memory *m, pid_t command, int signal_number);

/** Wait until the job is over or the time has come (0: now), then KILL what is left. */
void kill_rest(const struct detrun_memory *m, uint64_t deadline_ns);

#endif
