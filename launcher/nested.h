/* SPDX-License-Identifier: MIT */
/**
 * @file
 * detrun inside a job of detrun: one listener in a chain is all the kernel allows, so the command
 * joins the outer job, or is refused when it asks for something else.
 */
#ifndef DETRUN_LAUNCHER_NESTED_H
#define DETRUN_LAUNCHER_NESTED_H

#include <stdbool.h>

#include "options.h"

bool nested_in_a_job(void);

/** @return one line when the options ask for what the outer job does not give, else NULL */
const char *nested_conflict(const struct options *o);

#endif
