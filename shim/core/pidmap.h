/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Virtual pids: made from key and lineage, found again through a table of buckets. A slot holds
 * vpid << 32 | task index; insertion takes a free slot by compare-and-swap, removal zeroes it.
 */
#ifndef DETRUN_CORE_PIDMAP_H
#define DETRUN_CORE_PIDMAP_H

#include <stdbool.h>

#include "detrun/abi.h"

/**
 * Has the kernel neither this task nor a group of its number any more? Asked of who has the id that
 * another one would get. Defined by whoever links this and can ask the kernel; else nobody is gone.
 */
bool pidmap_is_gone(const struct detrun_task *t);

/**
 * Give a task its virtual id. A taken one, or a full bucket, probes on and is counted; one that is
 * gone has none, as when its record will be freed is timing.
 * @return DETRUN_VPID_FIRST .. DETRUN_VPID_END - 1
 */
uint32_t pidmap_insert(struct detrun_memory *m, const struct detrun_task *t);

/** The id a task gets when it is free. */
uint32_t pidmap_first_choice(const struct detrun_memory *m, const struct detrun_task *t);

/** @return the task with this virtual id, or NULL. */
struct detrun_task *pidmap_find(struct detrun_memory *m, uint32_t vpid);

/** Forget t->vtid. */
void pidmap_remove(struct detrun_memory *m, const struct detrun_task *t);

#endif
