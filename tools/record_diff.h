/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Two files of records: the first record, and the first member in it, that differ; volatile members
 * count for nothing.
 */
#ifndef DETRUN_TOOLS_RECORD_DIFF_H
#define DETRUN_TOOLS_RECORD_DIFF_H

#include <stdbool.h>

/** Does it begin with a record? */
bool record_diff_is_one(const char *path);

/** @return 0 same, 1 different, COMMAND_USAGE after a message */
int record_diff(const char *a, const char *b, bool as_json);

#endif
