/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The records of one run that the launcher writes itself: start and env before the command,
 * coverage, failure and end behind it.
 */
#ifndef DETRUN_LAUNCHER_RUN_RECORD_H
#define DETRUN_LAUNCHER_RUN_RECORD_H

#include "job.h"
#include "record.h"
#include "run.h"

/** How a run ended (contract, section 6). */
enum run_outcome { RUN_PASSED, RUN_FAILED, RUN_ERRORED, RUN_SKIPPED };

extern const char *const run_outcome_names[];

enum run_outcome run_outcome(const struct options *o, const struct run_result *result);

/** Open what --record names, for the job. @return 0 or -errno with one line in error */
int run_record_open(struct job *job, char *error, size_t room);

/**
 * For failures that programs record: the line that repeats the job, but for the iteration, which is
 * theirs to say. Where there is no room for it, it is empty.
 * @param argv0  how detrun was called
 */
void run_record_keep_repeat(struct job *job, const char *argv0);

/** @return 0 or -errno with one line in error: an --input that cannot be read */
int run_record_start(struct job *job, char *error, size_t room);

/** A record of detrun itself, "task" 0. @return 0 or -errno: records are not kept, or out of memory
 */
int run_record_begin(struct job *job, struct record *r, const char *event);
void run_record_finish(const struct job *job, struct record *r);

/** @param argv0  how detrun was called */
void run_record_end(struct job *job, const struct run_result *result, const char *argv0);

/** @return false, with one line, when records are missing */
bool run_record_is_whole(const struct job *job, char *error, size_t room);

#endif
