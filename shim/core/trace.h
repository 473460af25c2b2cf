/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Writing a trace: each task into chunks of its own, without locks. Nothing is asked of anybody but
 * when a task's chunk is full and the file has to grow. A signal handler may come between any two
 * instructions.
 */
#ifndef DETRUN_CORE_TRACE_H
#define DETRUN_CORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "detrun/abi.h"
#include "detrun/trace.h"

/** Where this process has it. */
struct trace_file {
    struct detrun_memory *memory;
    uint8_t *base;
    /** Have more of the file allocated; 0: there is more. NULL: nobody can. */
    int (*grow)(const struct trace_file *file);
    const char *command; /**< what runs here, for the chunks' heads */
    int fd;              /**< for grow, where the file is open */
};

/** The next event of a task: by itself, or by the supervisor while it is held. Without room it is
 * dropped and counted. */
void trace_put(const struct trace_file *file, struct detrun_task *t, struct trace_event event);

/** An answer that has no more to it than its result. */
struct trace_event trace_of_call(enum trace_call call, enum detrun_source source, unsigned door,
                                 long result);

/** Has its chunk room for one more? */
bool trace_has_room(const struct detrun_task *t);

/** A text that belongs to the event just put: its first TRACE_TEXT_LIMIT bytes. */
#define TRACE_TEXT_LIMIT 224
void trace_put_text(const struct trace_file *file, struct detrun_task *t, const char *text);

/** Of bytes that are not kept. */
uint64_t trace_digest(const void *bytes, size_t length, uint64_t seed);

/** No more of it: what is claimed from now on is dropped. @return the length of the file */
uint64_t trace_close(struct detrun_memory *m);

/** The file is longer by so many bytes; or cannot be: the trace ends. */
void trace_grown(struct detrun_memory *m, uint64_t by);
void trace_fail(struct detrun_memory *m, int error);

/** How many bytes of the file nobody has. */
uint64_t trace_room(const struct detrun_memory *m);

/** Has it, because of an error or the command's end? */
bool trace_has_ended(const struct detrun_memory *m);

#endif
