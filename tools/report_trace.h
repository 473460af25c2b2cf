/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Two traces in an HTML page: the events up to the first that differs, on both sides, and a line of
 * all events for each task.
 */
#ifndef DETRUN_TOOLS_REPORT_TRACE_H
#define DETRUN_TOOLS_REPORT_TRACE_H

#include <stdio.h>

#include "trace_diff.h"

void report_put_trace(FILE *out, const struct trace_comparison *c);

#endif
