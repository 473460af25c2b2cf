/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The traces of many runs, each compared with the first one's.
 */
#ifndef DETRUN_TOOLS_TRACE_CHANNEL_H
#define DETRUN_TOOLS_TRACE_CHANNEL_H

#include "iteration.h"
#include "trace_diff.h"

struct trace_pair {
    struct trace_reader a;
    struct trace_reader b;
    struct trace_comparison comparison;
    char names[2][32];
};

struct trace_channel {
    int first;               /**< descriptor of the first run's; 0 or less: there is none */
    uint64_t runs;           /**< with a trace, so far */
    uint64_t compared;       /**< with the first */
    uint64_t differing;      /**< of these */
    struct trace_pair *kept; /**< the first of them, or the one that matters; NULL: none differs */
};

/** A run has ended. @param matters  if its trace differs, it is the one to be told of */
void trace_channel_take(struct trace_channel *t, const struct iteration *i, bool matters);

/** The next run is another first one. */
void trace_channel_restart(struct trace_channel *t);

/** Where the two part: in which channels, and the first event; nothing where they do not. */
void trace_channel_say(const struct trace_channel *t);

/** A member of a record: "traces". */
void trace_channel_put(FILE *out, const struct trace_channel *t);

/** What it may come from, NULL: the traces do not tell. */
const char *trace_channel_cause(const struct trace_channel *t);

#endif
