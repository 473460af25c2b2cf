/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Reading a trace (include/detrun/trace.h), of any length, task by task. Whatever is in the file,
 * nothing but an answer comes of it.
 */
#ifndef DETRUN_TOOLS_TRACE_READER_H
#define DETRUN_TOOLS_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detrun/abi.h"
#include "detrun/trace.h"
#include "trace.h"

struct trace_piece {
    uint64_t task;
    uint64_t offset;
    uint32_t index;
    uint32_t size;
};

struct trace_task {
    uint64_t id;
    char place[TRACE_PLACE + 1];
    char command[TRACE_COMMAND + 1]; /**< what it was last */
    size_t first;                    /**< of its pieces */
    size_t count;
};

struct trace_reader {
    const char *path;
    int fd;
    char head[TRACE_HEADER];
    const char **names; /**< sources, doors, calls */
    uint8_t *constant;  /**< for each call: does it give one and the same answer to a task? */
    struct trace_piece *pieces;
    size_t piece_count;
    struct trace_task
        *tasks; /**< in the order of the tree: who starts comes before who is started */
    size_t task_count;
    const char *lacks; /**< why it is not whole; NULL: it is */
};

/** An event, and the text that belongs to it. */
struct trace_item {
    uint64_t number; /**< in its task, from 0 */
    struct trace_event event;
    char text[TRACE_TEXT_LIMIT + 1];
};

/** A place in the events of one task. */
struct trace_cursor {
    const struct trace_reader *reader;
    const struct trace_task *task;
    size_t piece;
    size_t at;
    size_t end;
    uint64_t number;
    char bytes[TRACE_CHUNK] __attribute__((aligned(16)));
};

/** Does the file look like a trace, whole or not? */
bool trace_is_one(const char *path);

/** @return 0, or -1 after a message: it cannot be read, or is no trace, or of another version */
int trace_reader_open(struct trace_reader *r, const char *path);
void trace_reader_close(struct trace_reader *r);

static inline const struct trace_header *trace_head(const struct trace_reader *r)
{
    return (const struct trace_header *)(const void *)r->head;
}

void trace_cursor_begin(struct trace_cursor *c, const struct trace_reader *r,
                        const struct trace_task *task);
/** @return false: there are no more */
bool trace_cursor_next(struct trace_cursor *c, struct trace_item *item);

/** Names of numbers that may be out of range. */
const char *trace_source_name(const struct trace_reader *r, unsigned source);
const char *trace_door_name(const struct trace_reader *r, unsigned door);
const char *trace_call_name(const struct trace_reader *r, unsigned call);

/** Did the kernel answer, and nobody else? */
static inline bool trace_is_kernels(const struct trace_reader *r, const struct trace_event *e)
{
    return e->door + 1U == trace_head(r)->doors;
}

static inline enum trace_kind trace_kind_of(const struct trace_event *e)
{
    return (enum trace_kind)(e->kind & ~TRACE_LOOSE);
}

#endif
