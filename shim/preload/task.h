/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The calling thread's record, and how the process comes by the job memory.
 *
 * Attaching is lazy: a program that asks for nothing pays nothing. task_self() is what every
 * handler starts with; NULL means that the shim is off or could not attach, and the handler lets
 * the real call through (under a supervisor that is answered as well).
 */
#ifndef DETRUN_SHIM_TASK_H
#define DETRUN_SHIM_TASK_H

#include <stdbool.h>

#include "lineage.h"
#include "owned.h"
#include "stream.h"

struct shim_state {
    struct detrun_memory *memory;
    uint8_t *trace;                    /**< the job's, see tracing.h; NULL: none */
    const volatile uint8_t *fork_mark; /**< reads 0 in a child that no wrapper of ours made */
    uint32_t real;                     /**< bit per enum detrun_source: left to the kernel */
    uint32_t image_flags;              /**< of task.flags, for every process of this image */
    uint64_t libc_start;               /**< as in its record */
    uint64_t libc_end;
    uint32_t vpid;     /**< this process's, for threads without record */
    bool begun;        /**< the constructor, or who came before it, has run */
    bool on;           /**< E2E_DETERMINISTIC asks for it */
    bool threaded;     /**< it has had more than one thread */
    bool glibc;        /**< else musl: no SITE, no ENTRY */
    bool alone;        /**< no supervisor: the job memory is this process's and its forks' */
    bool failed;       /**< attaching failed once: do not try again */
    bool sandboxed;    /**< its seccomp filter refuses calls of ours: none that it would not make */
    bool tids_hidden;  /**< gettid is one of these */
    bool vdso_refused; /**< to be counted once there is a record */
};

extern struct shim_state shim;
extern __thread struct detrun_task *task_current;
extern __thread struct stream_cache task_cache;
/** The process being created; the child finds it in its copy. NULL: none. */
extern __thread struct detrun_task *task_prepared;
/** The record a thread was started under; another thread finds it through the pthread_t. */
extern __thread struct detrun_task *task_record;

/** The slow half of task_self(). */
struct detrun_task *task_attach(void);

static inline struct detrun_task *task_self(void)
{
    struct detrun_task *t = task_current;
    if (__builtin_expect(t != NULL && *shim.fork_mark != 0, 1))
        return t;
    return task_attach();
}

/** Is this source left to the kernel (--real, or a debugger's pids)? Only with a record at hand. */
static inline bool task_leaves_real(enum detrun_source source)
{
    return (shim.real >> source & 1) != 0;
}

/** Count one answer of the calling thread. source < DETRUN_TASK_SOURCES. */
static inline void task_count(struct detrun_task *t, enum detrun_source source,
                              enum detrun_door door)
{
    owned_count(&t->answered[source][door]);
}

/**
 * The process forked through a wrapper: the child goes on under this record (NULL: table full).
 * @param shares  it runs on its parent's memory (vfork): what its parent's threads see stays
 */
void task_become(struct detrun_task *t, bool shares);

/** A record of this process takes over what is known of its image. */
void task_take_image(struct detrun_task *process);

/** A new thread starts under this record. */
void task_start_thread(struct detrun_task *t);

/** The record behind an id as the kernel tells it to the calling process, and the other way. */
struct detrun_task *task_by_real(int tid);
int task_real_id(const struct detrun_task *t); /**< 0: it has none here */

/** The record of another thread of this process, by its pthread_t, while that is valid. */
struct detrun_task *task_of_pthread(unsigned long thread);

#endif
