/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_TOOLS_REPLAY_STATE_H
#define DETRUN_TOOLS_REPLAY_STATE_H

#include <jansson.h>

#include "options.h"

/**
 * Is what the run started from still the same: the program's file and loader, stream_version,
 * settings, --input files? Each difference is a line on standard error.
 * @return how many there are
 */
unsigned replay_state_compare(const json_t *start, const struct options *o);

#endif
