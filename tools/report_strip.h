/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The events of a task as a small picture: from left to right as they came, each kind in a line of
 * its own.
 */
#ifndef DETRUN_TOOLS_REPORT_STRIP_H
#define DETRUN_TOOLS_REPORT_STRIP_H

#include <stdio.h>

#include "trace_reader.h"

#define STRIP_CELLS   120
#define STRIP_NOWHERE UINT64_MAX

struct strip {
    uint64_t events;
    uint64_t width;              /**< events a cell */
    uint16_t kinds[STRIP_CELLS]; /**< that are in each cell: bits */
};

/** @param task  NULL: it has no events */
void strip_fill(struct strip *s, const struct trace_reader *r, const struct trace_task *task);

/** Give both the same width. */
void strip_level(struct strip *a, struct strip *b);

/** @param mark  the number of an event, or STRIP_NOWHERE */
void strip_put(FILE *out, const struct strip *s, uint64_t mark);

/** Names of the lines, from above. */
void strip_put_legend(FILE *out);

#endif
