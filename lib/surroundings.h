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
    const char *bad;       /**< the variable that has a bad value */
};

/**
 * Texts point into info and the environment. @return 0, or -EINVAL for a bad value
 */
int surroundings_read(struct surroundings *s);

/**
 * The one iteration that is to be run: the job's, or else DETRUN_ONLY_ITERATION, "I" or "I:NAME".
 * @param other  out: it is one of a test with another name
 * @return its number; 0: all are run
 */
uint64_t surroundings_only_iteration(const struct surroundings *s, const char *test_name,
                                     bool *other);

#endif
