/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_LIB_SNAPSHOT_H
#define DETRUN_LIB_SNAPSHOT_H

#include "buffer.h"

/** What of the environment programs often depend on, as one JSON object with sorted keys. */
void snapshot_print(struct buffer *b, uint64_t seed, bool deterministic);

#endif
