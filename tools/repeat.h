/* SPDX-License-Identifier: MIT */
/**
 * @file
 * detrun repeat: one command, many runs, each a detrun of its own whose output and records go into
 * files without a name.
 */
#ifndef DETRUN_TOOLS_REPEAT_H
#define DETRUN_TOOLS_REPEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "digest.h"
#include "job.h"
#include "run_record.h"

/** What the command line asks for. */
struct repeat {
    uint64_t count; /**< 0: without end */
    uint64_t jobs;
    bool until_failure;
    bool vary_seed;
    const char *keep;       /**< folder for the outputs, or NULL */
    char **words;           /**< options for each run, NULL-terminated */
    struct options options; /**< the same, read */
    char *self;             /**< the launcher */
};

/** @return 0, or -1 after one line that says what is wrong; 1: help was asked for */
int repeat_parse(struct repeat *r, char **words);

/** One run, and what became of it. */
struct iteration {
    uint64_t number; /**< from 1 */
    uint64_t seed;   /**< with --vary-seed */
    pid_t pid;       /**< 0: not running */
    int out;
    int err;
    int records;
    uint64_t started_ns;
    uint64_t duration_ns;
    bool ended;
    enum run_outcome outcome;
    int status;
    int signal;
    char out_digest[DIGEST_TEXT];
    char err_digest[DIGEST_TEXT];
    char inputs[DIGEST_TEXT]; /**< "": not known */
    char reason[256];
    char reproduce[4096];
};

/** @return 0 or -errno: no process, no file */
int iteration_start(struct iteration *i, const struct repeat *r);
/** Its process has ended so. */
void iteration_end(struct iteration *i, int status);
void iteration_close(struct iteration *i);
/** Was it the same end: outcome, exit status, signal? */
bool iteration_same_end(const struct iteration *a, const struct iteration *b);
bool iteration_same_output(const struct iteration *a, const struct iteration *b);
/** The seed of an iteration: the test-seed formula (contract, section 2). */
uint64_t iteration_seed(const struct options *o, uint64_t number);

/** What all runs together say. */
struct tally {
    uint64_t outcomes[RUN_SKIPPED + 1];
    uint64_t runs;
    struct iteration first; /**< the first that was not skipped */
    uint64_t other_end;     /**< the first that ended otherwise; 0: none */
    uint64_t other_inputs;  /**< that was answered otherwise */
    uint64_t other_output;
    uint64_t failed_again;     /**< with --vary-seed: repeated failures that failed again */
    uint64_t failed_otherwise; /**< and those that did not */
};

void tally_add(struct tally *t, const struct iteration *i, const struct repeat *r);
/** The verdict (contract, section 5), and a sentence that says what it means. */
const char *tally_verdict(const struct tally *t, const struct repeat *r, char *text, size_t room);
/** Of detrun repeat. */
int tally_status(const struct tally *t);

/** A line that is overwritten, on a terminal only. */
void progress_show(const struct tally *t, const struct repeat *r, uint64_t started_ns);
void progress_clear(void);

/** repeat_record.c: nothing where no records are kept. */
void repeat_record_iteration(struct job *job, struct iteration *i, const struct repeat *r);
void repeat_record_verdict(struct job *job, const struct tally *t, const struct repeat *r);

#endif
