/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Run the command: its process, its signals, its end.
 */
#ifndef DETRUN_LAUNCHER_RUN_H
#define DETRUN_LAUNCHER_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "job.h"

/** Value of a TERM that was queued (sigqueue(3)) to a detrun: the whole job is to end, what does
 * not is killed after 2 s. A TERM without it is the command's, as all signals are. */
#define RUN_END_JOB 0x64657472

struct run_result {
    int status; /**< exit status, when signal is 0 */
    int signal; /**< the command died of this one */
    bool timed_out;
    char error[512]; /**< one line, when status is 125 to 127 by our own doing */
};

/** Start the command and stay until it ends; the supervisor may live on. */
void run_job(struct job *job, struct run_result *result);

/** Become the command, without a job. Only returns when that fails: status and line as above. */
void run_untouched(char **command, struct run_result *result);

/** End this process as the command ended. */
_Noreturn void run_end_like(const struct run_result *result);

#endif
