/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The job has computed for long since its time moved last, so that time-outs run out nevertheless:
 * but who has only just begun to sleep has a right to see the others come to rest. Such a program
 * is one that computes for seconds, and then starts threads that sleep while its compiler still
 * works.
 */
#ifndef DETRUN_LAUNCHER_PATIENCE_H
#define DETRUN_LAUNCHER_PATIENCE_H

#include "sleepers.h"

/**
 * Has the job computed for long since this one, the first to be woken, began to sleep, as far as
 * anybody saw? Between two moves of time only its first sleep counts, and less and less of the
 * further ones': there may be many.
 */
bool patience_is_over(struct supervisor *s, const struct sleeper *first, uint64_t now);

/** It is about to be woken before its turn. */
void patience_lost(struct supervisor *s, const struct sleeper *first);

#endif
