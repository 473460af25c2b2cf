/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What all runs of detrun repeat together say.
 */
#ifndef DETRUN_TOOLS_TALLY_H
#define DETRUN_TOOLS_TALLY_H

#include "iteration.h"

struct tally {
    bool broken; /**< a run could not be made: there is no verdict */
    bool varied; /**< each run has a seed of its own */
    uint64_t outcomes[RUN_SKIPPED + 1];
    uint64_t runs;
    struct iteration first; /**< the first that was not skipped */
    uint64_t other_end;     /**< the first that ended otherwise; 0: none */
    uint64_t other_inputs;  /**< that was answered otherwise */
    uint64_t other_output;
    uint64_t failed_again;     /**< varied: failures that were there again with the same seed */
    uint64_t failed_otherwise; /**< and those that were not */
};

void tally_add(struct tally *t, const struct iteration *i);
/** The verdict (contract, section 5), and a sentence that says what it means. */
const char *tally_verdict(const struct tally *t, char *text, size_t room);
/** Exit status of detrun repeat. */
int tally_status(const struct tally *t);

#endif
