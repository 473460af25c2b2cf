/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a run's coverage record says: which sources were asked for, by which doors they were
 * answered, and what was not controlled.
 */
#ifndef DETRUN_TOOLS_COVERAGE_H
#define DETRUN_TOOLS_COVERAGE_H

#include <jansson.h>
#include <stdint.h>

#include "detrun/abi.h"

#define COVERAGE_DOORS 4

extern const char *const coverage_sources[DETRUN_SOURCES];
extern const char *const coverage_doors[COVERAGE_DOORS];

struct coverage_gap {
    const char *name;
    enum detrun_source source;
};

extern const struct coverage_gap coverage_gaps[DETRUN_GAPS];

/** What to do about it; "" where the program saw a controlled answer all the same. */
const char *coverage_advice(size_t gap);

/**
 * @param records  a file of a run's records
 * @param status   the exit status in them; may be NULL
 * @return the first coverage record, the caller's; NULL: the run did not come to its end
 */
json_t *coverage_read(int records, int *status);

/** How often a source was asked for. */
int64_t coverage_answers(const json_t *coverage, size_t source);

/** How often something was not controlled. */
int64_t coverage_count(const json_t *coverage, size_t gap);

#endif
