/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Calls to systems under test that programs noted outside of iterations of their own: they are kept
 * in the job memory for the failure that may come of them.
 */
#ifndef DETRUN_LAUNCHER_CALLS_H
#define DETRUN_LAUNCHER_CALLS_H

#include <stdint.h>
#include <stdio.h>

#include "detrun/abi.h"

/**
 * @param place    of the task that noted it
 * @param seq      number of the record among that task's
 * @param members  of its record
 */
void calls_keep(struct detrun_memory *m, const char *place, uint32_t seq, const char *members);

/** Members of a failure: hosts that a call failed on, and all calls in the order of their tasks. */
void calls_put(FILE *out, const struct detrun_memory *m);

#endif
