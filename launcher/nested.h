/* SPDX-License-Identifier: MIT */
/**
 * @file
 * detrun inside a job of detrun. One listener in a chain is all that the kernel allows, so the
 * command's job is one of the outer supervisor's, with a memory of its own. What is trapped stays
 * what the outer job asked for.
 */
#ifndef DETRUN_LAUNCHER_NESTED_H
#define DETRUN_LAUNCHER_NESTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/**
 * A launcher that is linked dynamically has the library of the job around it in itself, which
 * answers past the supervisor: begin again without it.
 */
void nested_shed_library(char **argv);

bool nested_in_a_job(void);

/**
 * A memory for a job inside the one around us; its params are the outer job's, but for the id.
 * @return a descriptor, or -errno with one line in error
 */
int nested_make(char *error, size_t room);

/**
 * Options against what the outer job gives.
 * @return 0, or -EINVAL with one line in error
 */
int nested_check(const struct options *o, const struct detrun_params *outer, char *error,
                 size_t room);

/** As on the machine is as in the outer job; nobody reaches further than from there. */
void nested_take_machine(struct options *o, const struct detrun_params *outer);

/** The step that the outer job put into the environment stands for both of its own. */
void nested_take_steps(struct options *o, const struct detrun_params *outer);

/** The command has ended. */
void nested_leave(uint32_t job);

/** A signal to all jobs inside ours. @return how many processes there are */
unsigned nested_kill(uint32_t job, int signal_number);

#endif
