/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One job: its memory, its parameters and the environment of its command.
 */
#ifndef DETRUN_LAUNCHER_JOB_H
#define DETRUN_LAUNCHER_JOB_H

#include <errno.h>
#include <stdbool.h>

#include "command.h"
#include "detrun/abi.h"
#include "options.h"

/** No supervisor, because it would look for its guests under other processes' numbers. */
#define JOB_FOREIGN_PROC (-ENXIO)

struct job {
    const struct options *options;
    struct detrun_memory *memory;
    int memory_fd;
    char **environment; /**< with room for one more entry before the NULL */
    bool inside;        /**< another job, whose supervisor answers */
    bool aslr_off;
    bool supervised;
    int refusal;       /**< why there is no supervisor: 0 or -errno */
    uint32_t launcher; /**< index of the record of the command's parent */
    char **command;    /**< as it is run */
    struct command_file program;
    uint32_t records;              /**< the launcher's own, so far */
    struct detrun_task trace_root; /**< the command's record when it began */
    uint64_t started_ns;           /**< real CLOCK_MONOTONIC */
};

/**
 * Make the job memory and fill it, up to the records of what stands outside the job.
 * @param options  inside another job its time steps may come to be that one's
 * @return 0 or -errno, with one line in error
 */
int job_create(struct job *job, struct options *options, char *error, size_t room);

/** What the options say. */
void job_fill_params(struct detrun_params *p, const struct options *o);

/** The shim's path, of DETRUN_PATH_SIZE. @return 0 or -ENOENT, with one line in error */
int job_find_library(char *library, char *error, size_t room);

/** Why there is no supervisor, in words. */
const char *job_refusal(int error);

/** The command has ended, and all that was to be read has been. */
void job_end(struct job *job);

/** In the command's process, before its first image: its record. */
struct detrun_task *job_bind_command(struct job *job);

/** In the command's process, without supervisor: what its shim has to know travels in the
 *  environment. */
int job_add_context(struct job *job, const struct detrun_task *root);

#endif
