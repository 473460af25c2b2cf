/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The stages that the programs of a run recorded (detrun_stage(), detrun note stage): names,
 * lengths, digests.
 */
#ifndef DETRUN_TOOLS_STAGES_H
#define DETRUN_TOOLS_STAGES_H

#include "artifact.h"

/** All in a file of one run's records, a line each, by task and those of one task as they came;
 * nothing where there are none. @return 0 or -errno */
int stages_take(struct artifact *a, int records);

#endif
