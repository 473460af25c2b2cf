/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the job and the environment say: read at each beginning of a fixture or a test.
 */
#ifndef DETRUN_LIB_SURROUNDINGS_H
#define DETRUN_LIB_SURROUNDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "detrun/abi.h"
#include "seed.h"

struct surroundings {
    struct detrun_info info; /**< size 0: no job with a supervisor */
    bool deterministic;
    bool has_seed;          /**< false: nobody gave one */
    struct job_seed seed;   /**< as the environment says it, or else the job */
    struct job_seed of_job; /**< as the job says it, or else the environment; or 0 */
    uint64_t step_ms;
    uint64_t max_examples; /**< 0: not given */
    /** The one iteration that is to be run: the job's, or else that of DETRUN_ONLY_ITERATION, "I"
     * or "I:NAME". 0: all are */
    uint64_t only_iteration;
    const char *only_test; /**< of the test of that name alone; NULL: of any */
    const char *bad;       /**< the variable that has a bad value */
    const char *give;      /**< what would be a good one */
};

/**
 * Texts point into info and the environment. @return 0, or -EINVAL for a bad value
 */
int surroundings_read(struct surroundings *s);

#endif
