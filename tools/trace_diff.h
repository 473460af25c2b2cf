/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Two traces: where do they part? Tasks are paired by their place in the tree of creation, and
 * events by their order in the task. What is timing is passed over: waits, and further reads of a
 * monotonic clock that has not moved.
 */
#ifndef DETRUN_TOOLS_TRACE_DIFF_H
#define DETRUN_TOOLS_TRACE_DIFF_H

#include "trace_text.h"

#define TRACE_BEFORE 10

enum trace_change {
    TRACE_SAME,
    TRACE_OTHER_VALUE,
    TRACE_OTHER_CALL,
    TRACE_MISSING,     /**< the task goes on in one of them only */
    TRACE_MISSING_TASK /**< it is in one of them only */
};

enum trace_channel_id {
    TRACE_CHANNEL_CLOCK,
    TRACE_CHANNEL_RANDOM,
    TRACE_CHANNEL_ORDER,
    TRACE_CHANNEL_PIDS,
    TRACE_CHANNEL_FILES,
    TRACE_CHANNEL_OUTPUT,
    TRACE_CHANNELS
};

extern const char *const trace_channel_names[TRACE_CHANNELS];

/** The last events of one task up to one that differs, which is the last of them if `there`. */
struct trace_window {
    const struct trace_reader *reader;
    const struct trace_task *task; /**< NULL: it has none */
    bool there;
    uint64_t taken; /**< events so far; item i is at i % (TRACE_BEFORE + 1) */
    struct trace_item items[TRACE_BEFORE + 1];
};

struct trace_difference {
    enum trace_change change;
    unsigned rank; /**< the smaller the more it says of the cause */
    struct trace_window a;
    struct trace_window b;
};

struct trace_comparison {
    struct trace_difference first; /**< the one that says most, of these the first in the tree */
    uint64_t events;               /**< compared */
    size_t tasks;
    size_t differing;                    /**< tasks */
    uint64_t by_channel[TRACE_CHANNELS]; /**< tasks whose first difference is of that kind */
};

typedef int trace_look(void *argument, const struct trace_comparison *c, int status);

/** @return 0, or -1 after a message: they cannot be compared */
int trace_compare(const struct trace_reader *a, const struct trace_reader *b,
                  struct trace_comparison *c);

/** What differs first, and what it may come from, in words of one line. */
const char *trace_change_name(const struct trace_comparison *c);
const char *trace_cause(const struct trace_comparison *c);
/** The name of the source of the event that differs, or "". */
const char *trace_source(const struct trace_comparison *c);

void trace_say(FILE *out, const struct trace_comparison *c);
void trace_say_json(FILE *out, const struct trace_comparison *c);

/** detrun diff of two traces. @param look  told of it, and of the status; may be NULL, or not be
 * able to (-1). @return its status */
int trace_diff(const char *a, const char *b, bool json, trace_look *look, void *argument);

#endif
