/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the record says of an iteration. All return 0 or a negative errno.
 */
#ifndef DETRUN_LIB_ITERATION_RECORD_H
#define DETRUN_LIB_ITERATION_RECORD_H

#include "test.h"

int record_call(const struct test *t, const struct host_call *call, uint64_t index);
int record_iteration(const struct test *t, int result, uint64_t shrinks);
int record_failure(const struct test *t, uint64_t shrinks, const char *reason);

#endif
