/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What this process writes into the job's trace. Without one each of these is one load and one
 * branch. Sources whose answers have a value (clocks, random bytes) write it where it is made, all
 * other answers are written by the door.
 */
#ifndef DETRUN_SHIM_TRACING_H
#define DETRUN_SHIM_TRACING_H

#include <stdbool.h>
#include <sys/uio.h>

#include "detrun/calls_doors.h"
#include "detrun/trace.h"
#include "task.h"

/** As enum detrun_door, or the kernel's. */
enum tracing_door { TRACING_REAL = TRACE_KERNEL_DOOR };

static inline bool tracing_is_on(void)
{
    return __builtin_expect(shim.trace != NULL, 0);
}

/** Map the trace, if the job has one, and say what program this is. After attaching. */
void tracing_begin(void);

/** The slow halves. */
void tracing_put_clock(struct detrun_task *t, enum detrun_source source, unsigned door, int64_t ns);
void tracing_put_bytes(struct detrun_task *t, unsigned stream, unsigned door, const void *bytes,
                       size_t length);
void tracing_put_call(enum trace_call call, enum detrun_source source, unsigned door, long result);
void tracing_put_listing(unsigned door, const void *entries, long length);
void tracing_put_open(const char *path, int flags, long result);
void tracing_put_exit(struct detrun_task *child, int status);

/** A time that was read. */
static inline void tracing_clock(struct detrun_task *t, enum detrun_source source, unsigned door,
                                 int64_t ns)
{
    if (tracing_is_on())
        tracing_put_clock(t, source, door, ns);
}

/** Random bytes. */
static inline void tracing_bytes(struct detrun_task *t, unsigned stream, unsigned door,
                                 const void *bytes, size_t length)
{
    if (tracing_is_on())
        tracing_put_bytes(t, stream, door, bytes, length);
}

/** Does the door write calls of this row? */
#define TRACING_BY_DOOR(doors, source)                                                             \
    (!((doors)&SELF_COUNTED) && DETRUN_##source != DETRUN_WALL &&                                  \
     DETRUN_##source != DETRUN_MONOTONIC && DETRUN_##source != DETRUN_CPUTIME &&                   \
     DETRUN_##source != DETRUN_RANDOM)

/** An answer that has no more to it than its result. */
static inline void tracing_call(enum trace_call call, enum detrun_source source, unsigned door,
                                long result)
{
    if (tracing_is_on())
        tracing_put_call(call, source, door, result);
}

/** What a program was told of a file. mode: as st_mode; path: NULL for a descriptor's. */
void tracing_put_state(const char *path, unsigned mode, uint64_t size, int64_t written_ns);

static inline void tracing_open(const char *path, int flags, long result)
{
    if (tracing_is_on())
        tracing_put_open(path, flags, result);
}

/** What libc writes, when its entries are taken (sites.h): -1 with errno set. */
long tracing_entry_write(int fd, const void *buf, size_t len);
long tracing_entry_writev(int fd, const struct iovec *parts, int n);

/** A write by a libc whose entries are not: result is a value or -errno. */
void tracing_write(int fd, const void *bytes, size_t length, long result);
void tracing_writev(int fd, const struct iovec *parts, int n, long result);

#endif
