/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Carry out a plan: so many runs at once, told of in the order of their numbers, whichever ended
 * first. One is begun only when all but so many before it have been told of: what is killed loses
 * no more than the runs under way.
 */
#ifndef DETRUN_TOOLS_RUNNER_H
#define DETRUN_TOOLS_RUNNER_H

#include "iteration.h"

struct runner {
    struct plan *plan;
    /** The run's seed, in i->seed, which is the job's before. May be NULL. */
    void (*choose)(const struct runner *r, struct iteration *i);
    /** A run has ended; its files are still there. @return false: no more of them */
    bool (*tell)(struct runner *r, struct iteration *i);
    struct job job;           /**< for the records of the whole */
    struct iteration *window; /**< runs under way, and those that wait for earlier ones */
    uint64_t first;           /**< number of the first run, less one */
    uint64_t begun;           /**< number of the last one that was started */
    uint64_t told;            /**< number of the last one that was told of */
    uint64_t started_ns;
    uint64_t unsuccessful;
    bool enough;
    bool failed; /**< a run could not be started */
};

/** Open the records, and say in them what is to be run. @return 0, or -1 after a message */
int runner_prepare(struct runner *r);

/** After all has been told, watch_die(). */
void runner_run(struct runner *r);

/** What one run wrote, to standard error. */
void runner_show_output(const struct iteration *i);

/** Clear the line of progress, before something else is said. */
void runner_clear_progress(void);

/** A record of the run, behind those that the run itself and its program wrote. */
void runner_record(struct runner *r, const struct iteration *i);

#endif
