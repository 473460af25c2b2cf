/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the library asks of the job around it. Outside a job all of it says -EINVAL.
 */
#ifndef DETRUN_LIB_OPERATIONS_H
#define DETRUN_LIB_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "detrun/abi.h"

int operation_info(struct detrun_info *info);

/** The caller starts anew under the key of that seed. @return 0, outside a job as well */
int operation_begin(uint64_t seed);

/** @return the sum: the job's, or where there is none the process's */
uint64_t operation_count(enum detrun_counter counter, uint64_t more);

/** The job's alone. @return 0, or -EINVAL outside a job */
int operation_count_of_job(enum detrun_counter counter, uint64_t more, uint64_t *sum);

/** Is there a record to write to? Found out once. */
bool operation_has_record(void);

/**
 * One record: "EVENT\n" and its members. Releases the text.
 * Only where operation_has_record().
 * @return 0; -ENOMEM; or why it could not be written
 */
int operation_record(struct buffer *text);

/** One record of a failure; the job adds how to repeat it. @param iteration  0: in none */
int operation_record_failure(struct buffer *text, uint64_t iteration);

#endif
