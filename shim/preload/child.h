/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What call_child.c has to know of other calls.
 */
#ifndef DETRUN_SHIM_CHILD_H
#define DETRUN_SHIM_CHILD_H

struct detrun_task;

/** The task read the end of a pipe or file: what its newest child wrote is all there. */
void child_end_was_read(struct detrun_task *t);

#endif
