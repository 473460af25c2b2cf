/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Seeds in the words of a command, for tools that have a seed of their own: {seed} the job seed,
 * {test_seed}, {seed32} the test seed's first 32 bits or 1 where they are 0 (to many tools 0 means
 * any), {iteration} the number of the run, 1 for the only one.
 */
#ifndef DETRUN_LAUNCHER_SUBSTITUTE_H
#define DETRUN_LAUNCHER_SUBSTITUTE_H

#include "options.h"

/** @return the text with all of these replaced, the caller's to free; NULL: out of memory */
char *substitute(const char *text, const struct options *o);

/** The command as it is run: with --subst each word replaced. @return NULL: out of memory */
char **substitute_command(const struct options *o);

#endif
