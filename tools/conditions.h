/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What must not matter to a program under detrun, and differs from run to run of detrun verify.
 */
#ifndef DETRUN_TOOLS_CONDITIONS_H
#define DETRUN_TOOLS_CONDITIONS_H

#include <stdio.h>
#include <sys/types.h>

#include "iteration.h"

struct conditions {
    pid_t load; /**< a process that computes; 0: none */
};

/** Before a run: other numbers for processes and files, and for every second one a busy machine. */
void conditions_before(struct conditions *c, const struct iteration *i);
void conditions_after(struct conditions *c);

/** In the run's own process: another host name, where that is allowed, and one processor. */
void conditions_inside(const struct iteration *i);

/** The names of those that can be varied here, as a JSON array. */
void conditions_put(FILE *out);

#endif
