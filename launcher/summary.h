/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a run answered, by which door, and what it saw but did not control.
 */
#ifndef DETRUN_LAUNCHER_SUMMARY_H
#define DETRUN_LAUNCHER_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "job.h"

struct summary {
    uint64_t answered[DETRUN_SOURCES][DETRUN_DOORS];
    uint64_t gaps[DETRUN_GAPS];
    uint64_t inputs[2]; /**< see lineage_inputs() */
};

/** Add up the job's counts and those of the tasks that still have a record. */
void summary_collect(const struct detrun_memory *m, struct summary *s);

/** A short table for people. */
void summary_print(FILE *out, const struct summary *s, const struct job *job);

/**
 * One JSON object, keys in a fixed order.
 * @param path  "-": standard error, because standard output is the command's
 * @return 0 or -errno
 */
int summary_write(const char *path, const struct summary *s, const struct job *job);

/** What is not zero of that, as members of a JSON object in one line. */
void summary_put_members(FILE *out, const struct summary *s);

/** What --strict refuses: the first thing that was seen but not controlled.
 *  @return false when there is none; else text says what and how often */
bool summary_has_gap(const struct summary *s, const struct job *job, char *text, size_t room);

#endif
