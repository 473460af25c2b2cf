/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Does a thread wait for something that comes from outside the job: input from a terminal or a pipe
 * that it was given, an answer over the network? Then time must not run away from it.
 */
#ifndef DETRUN_LAUNCHER_OUTSIDE_H
#define DETRUN_LAUNCHER_OUTSIDE_H

#include "supervisor.h"

/** Note what the job was given: descriptors of the calling process. Before they are closed. */
void outside_note_inherited(void);

/**
 * Does this thread, asleep in the kernel, wait for a file whose other end is outside?
 * @param goes_on  set where it does not sleep any more
 */
bool outside_is_awaited(struct supervisor *s, int32_t tid, bool *goes_on);

#endif
