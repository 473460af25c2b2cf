/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What is known of the code of objects (core/searched.h), from one job to the next: a file in the
 * user's cache, $XDG_CACHE_HOME/detrun or $HOME/.cache/detrun. Without it answers are the same, and
 * the first process of a job that loads an object takes longer to start.
 */
#ifndef DETRUN_LAUNCHER_CODE_CACHE_H
#define DETRUN_LAUNCHER_CODE_CACHE_H

#include "detrun/abi.h"

/** Fill the tables of a new job memory. Whatever is wrong with the file, it is as if it were not.
 */
void code_cache_load(struct detrun_memory *m);

/** Write it anew if more has become known since. Nothing is said where that fails. */
void code_cache_save(const struct detrun_memory *m);

#endif
