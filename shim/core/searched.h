/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What is known of the code of objects, in the job memory: looking through a large one takes
 * milliseconds, and every process of the job loads the same ones.
 */
#ifndef DETRUN_CORE_SEARCHED_H
#define DETRUN_CORE_SEARCHED_H

#include <stdbool.h>
#include <stddef.h>

#include "detrun/abi.h"

/** @return the key of an object with that build id and size of its code; never 0 */
uint64_t searched_key(const uint8_t *build_id, size_t length, uint64_t size);

/** @return false: not known. Else its windows and their count, 0 for most. */
bool searched_find(struct detrun_memory *m, uint64_t key, const struct detrun_window **windows,
                   unsigned *count);

/** Keep what was found; where the table is full, or another process does the same, nothing happens.
 */
void searched_keep(struct detrun_memory *m, uint64_t key, const struct detrun_window *windows,
                   unsigned count);

/** The same for what has been kept elsewhere. found: as in struct detrun_searched. */
void searched_put(struct detrun_memory *m, uint64_t key, uint64_t found);

#endif
