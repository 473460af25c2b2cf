/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Expected results: a file kept beside the test, one JSON object. What a run has to leave, and why
 * that was changed when it was.
 */
#ifndef DETRUN_TOOLS_EXPECTATION_H
#define DETRUN_TOOLS_EXPECTATION_H

#include "verify.h"

/**
 * Compare with the file, or write it: with --write where there is none, with --update in any case.
 * Says what it did or what differs.
 * @return 0; 1: the results are others; 2: the file cannot be used
 */
int expectation_check(const struct verify *v);

#endif
