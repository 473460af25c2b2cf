/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One run of many: a detrun of its own, whose output and records go into files without a name.
 */
#ifndef DETRUN_TOOLS_ITERATION_H
#define DETRUN_TOOLS_ITERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "digest.h"
#include "plan.h"
#include "run_record.h"

struct iteration {
    uint64_t number; /**< from 1 */
    struct job_seed seed;
    pid_t pid; /**< 0: not running */
    int out;
    int err;
    int records;
    int trace; /**< 0 or less: none */
    uint64_t started_ns;
    uint64_t duration_ns;
    bool ended;
    bool no_room; /**< the disk that its output goes to is full: nothing can be said of it */
    enum run_outcome outcome;
    int status;
    int signal;
    char out_digest[DIGEST_TEXT];
    char err_digest[DIGEST_TEXT];
    char inputs[DIGEST_TEXT]; /**< "": not known */
    char reason[256];
    char reproduce[4096];
};

/** Where outputs and records go, without a name. */
const char *iteration_folder(void);

/** @return 0 or -errno: no process, no file */
int iteration_start(struct iteration *i, const struct plan *p);
/** Say that there was no room for its output, and what to do. */
void iteration_say_no_room(const struct iteration *i, const struct plan *p);
/** Have it end at once, with all that belongs to its job. */
void iteration_stop(const struct iteration *i);
/** Its process has ended so. */
void iteration_end(struct iteration *i, int status);
void iteration_close(struct iteration *i);
bool iteration_is_unsuccessful(const struct iteration *i);
/** Not skipped, and not one whose command cannot be run (contract, section 6)? */
bool iteration_was_run(const struct iteration *i);
/** Was it the same end: outcome, exit status, signal? */
bool iteration_same_end(const struct iteration *a, const struct iteration *b);
bool iteration_same_output(const struct iteration *a, const struct iteration *b);
/** The seed of a run that has one of its own: the test-seed formula (contract, section 2). */
uint64_t iteration_seed(const struct options *o, uint64_t number);

#endif
