/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Records of processes and threads: who is asking, named by its place in the tree of creation.
 *
 * The creator prepares a child's record before the child exists; the child, or whoever knows it,
 * claims it exactly once by compare-and-swap. Nothing in a record's answers depends on timing.
 * Pure arithmetic on the job memory; no locks: a slot of the bitmap, a bucket slot or a state is
 * taken by one compare-and-swap.
 */
#ifndef DETRUN_CORE_LINEAGE_H
#define DETRUN_CORE_LINEAGE_H

#include <stdbool.h>

#include "detrun/abi.h"

enum lineage_kind { LINEAGE_PROCESS, LINEAGE_THREAD };

/** A stream key from a bare seed, for a shim that no launcher gave one (that one uses SHA-256). */
void lineage_key(uint64_t seed, uint8_t key[32]);

/** Numbers of the records that the launcher makes besides the command's: not part of the job. */
enum lineage_outside { LINEAGE_LAUNCHER = 1, LINEAGE_GROUP, LINEAGE_SESSION };

/**
 * The command's record: RUNNING, lineage of the root, parent the launcher's record.
 * @return NULL when the table is full (it is not: this is the first one).
 */
struct detrun_task *lineage_root(struct detrun_memory *m, int32_t real_pid);

/** The same, but it stands at a place in a job on another machine, shorter than DETRUN_PLACE_SIZE:
 * it and what it starts share no stream with those that stand elsewhere. NULL: the job's root. */
struct detrun_task *lineage_root_at(struct detrun_memory *m, int32_t real_pid, const char *place);

/** A record for a process outside the job, so that its pid has a fixed name inside. */
struct detrun_task *lineage_outside(struct detrun_memory *m, enum lineage_outside which,
                                    int32_t real_pid);

/**
 * PREPARE the next child of a task: record, place, virtual pid, clock.
 * @return NULL when the table is full (counted); the child's number is used up all the same.
 * Context: the creator itself, or the supervisor while it is held.
 */
struct detrun_task *lineage_prepare(struct detrun_memory *m, struct detrun_task *creator,
                                    enum lineage_kind kind);

/**
 * The same for a creator whose threads start children in no fixed order (Go's runtime moves
 * goroutines between threads): the place is the n-th child of that name, and its clock starts at
 * what the creator hands on. Supervisor only.
 */
struct detrun_task *lineage_prepare_named(struct detrun_memory *m, struct detrun_task *creator,
                                          const char *name);

/**
 * The table was full: a record outside it, for the child alone, that answers as the one in the
 * table would have. Only its virtual pid cannot be found by others.
 */
void lineage_private(const struct detrun_memory *m, const struct detrun_task *creator,
                     struct detrun_task *spare);

/** PREPARED -> RUNNING under these real ids. @return false if another was faster. */
bool lineage_claim(struct detrun_memory *m, struct detrun_task *t, int32_t real_pid,
                   int32_t real_tid);

/**
 * The same by the creator, who knows its child for certain: one that was killed in the middle of
 * its own claim is bound all the same.
 */
void lineage_confirm(struct detrun_memory *m, struct detrun_task *t, int32_t real_pid);

/** The creation failed: the record goes, and its number is given back to the creator. */
void lineage_abandon(struct detrun_memory *m, struct detrun_task *creator, struct detrun_task *t);

/** RUNNING -> ENDED. @return false if it was not RUNNING. */
bool lineage_end(struct detrun_task *t);

/** Give the record back; its counts are added to the job's. Idempotent against a second freer. */
void lineage_free(struct detrun_memory *m, struct detrun_task *t);

/**
 * A test begins in this task: what it is answered from now on follows from the key alone, wherever
 * in the job it is and whatever ran before. Streams and clocks start anew, and so do the numbers of
 * the children it will start, which go on under the same key. Its pid stays, and so do the clocks
 * and streams of threads that are there already; with one clock for the job, that clock too.
 */
void lineage_begin(const struct detrun_memory *m, struct detrun_task *t, const uint8_t key[32]);

/** Add to a sum, which no order of adding changes, what a task was answered: how much of each
 * stream and how many clock reads of each family. */
void lineage_inputs(const struct detrun_task *t, uint64_t sum[2]);

/** Is the key its own, or the job's? */
static inline bool lineage_is_keyed(const struct detrun_task *t)
{
    uint32_t flags = atomic_load_explicit(&t->flags, memory_order_relaxed);
    return __builtin_expect(flags & DETRUN_TASK_KEYED, 0);
}

static inline const uint8_t *lineage_key_of(const struct detrun_memory *m,
                                            const struct detrun_task *t)
{
    return lineage_is_keyed(t) ? t->key : m->params.key;
}

/** An exec is about to replace this task's image, or (undo) has failed. */
void lineage_next_image(struct detrun_task *t);
void lineage_keep_image(struct detrun_task *t);

/** @return the record under this virtual pid or thread id, or NULL. */
struct detrun_task *lineage_by_vpid(struct detrun_memory *m, int32_t vpid);

/** @return the record of this real thread id, or NULL. The caller checks that it is still alive. */
struct detrun_task *lineage_by_real(struct detrun_memory *m, int32_t real_tid);

/** By its number in a pid namespace other than the supervisor's. NULL: none. Looks at all records.
 */
struct detrun_task *lineage_by_inner(struct detrun_memory *m, uint32_t space, int32_t tid);

/**
 * @return the virtual id of this real one, also when its task has ended and nobody has the real one
 * now; 0: never seen
 */
uint32_t lineage_virtual(struct detrun_memory *m, int32_t real_tid);

/** The process a task belongs to: the record of its first thread, or itself when that is gone. */
struct detrun_task *lineage_process(struct detrun_memory *m, struct detrun_task *t);

static inline uint32_t lineage_index(const struct detrun_memory *m, const struct detrun_task *t)
{
    return (uint32_t)(t - m->tasks);
}

static inline uint32_t lineage_state(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->state, memory_order_acquire);
}

/** What a fork's child has of its parent's image. */
static inline uint32_t lineage_image_flags(const struct detrun_task *parent)
{
    return atomic_load_explicit(&parent->flags, memory_order_acquire) &
           (DETRUN_TASK_SHIM | DETRUN_TASK_ATTACHED | DETRUN_TASK_GO | DETRUN_TASK_RAW_IDS |
            DETRUN_TASK_UNFOLLOWED);
}

/** Is this a process's record whose program, or whose parent's, is left alone? */
static inline bool lineage_is_unfollowed(const struct detrun_task *process)
{
    return (atomic_load_explicit(&process->flags, memory_order_acquire) & DETRUN_TASK_UNFOLLOWED) !=
           0;
}

static inline bool lineage_is_virtual(int32_t pid)
{
    return pid >= DETRUN_VPID_FIRST && pid < DETRUN_VPID_END;
}

void lineage_count_gap(struct detrun_memory *m, enum detrun_gap gap);

/**
 * Is the parent that a task was born to gone, so that getppid answers 1?
 */
bool lineage_orphaned(const struct detrun_memory *m, const struct detrun_task *t);

/**
 * What getppid answers. When a parent ends is timing, and some make seeds of the number (libuuid):
 * it stays the same until a process has asked LINEAGE_PARENT_ASKED times, as only one does that
 * waits to become an orphan; then it is 1 once the parent is gone.
 */
#define LINEAGE_PARENT_ASKED 64U
/** @param space  who asks is in: in the process's own one of those outside there is none, 0 */
uint32_t lineage_parent(struct detrun_memory *m, struct detrun_task *process, uint32_t space);

/** Of a pid namespace's first process, or one of its threads? In there it is 1, as programs check
 * that are to be that (a browser's zygote, an init). */
static inline bool lineage_is_first(const struct detrun_memory *m, const struct detrun_task *t)
{
    return t->space != 0 && t->process == t->space &&
           atomic_load_explicit(&m->tasks[t->space % DETRUN_MAX_TASKS].inner_tid,
                                memory_order_relaxed) == 1;
}

/** Does the process know its parent as 1 for that? */
bool lineage_is_child_of_first(const struct detrun_memory *m, const struct detrun_task *process);

/** What getpid and gettid answer, and those in its own pid namespace are told. */
static inline uint32_t lineage_pid(const struct detrun_memory *m, const struct detrun_task *t)
{
    return lineage_is_first(m, t) ? 1 : t->vpid;
}

static inline uint32_t lineage_tid(const struct detrun_memory *m, const struct detrun_task *t)
{
    return lineage_is_first(m, t) && lineage_index(m, t) == t->process ? 1 : t->vtid;
}

#endif
