/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Events of a trace in words, and as JSON.
 */
#ifndef DETRUN_TOOLS_TRACE_TEXT_H
#define DETRUN_TOOLS_TRACE_TEXT_H

#include <stdio.h>

#include "trace_reader.h"

#define TRACE_WORDS (TRACE_TEXT_LIMIT * 4 + 128)

/** "clock wall 2025-01-01T00:00:00.000000000Z". */
void trace_words(char words[TRACE_WORDS], const struct trace_reader *r,
                 const struct trace_item *item);

/** An object. */
void trace_put_json(FILE *out, const struct trace_reader *r, const struct trace_item *item);

/** "1.2 (date)" */
void trace_put_task(FILE *out, const struct trace_task *task);

extern const char *const trace_kind_names[TRACE_KINDS];

#endif
