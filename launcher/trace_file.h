/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The file of --trace: made before the command starts, longer whenever the job asks for it, told
 * of at the end. See include/detrun/trace.h.
 */
#ifndef DETRUN_LAUNCHER_TRACE_FILE_H
#define DETRUN_LAUNCHER_TRACE_FILE_H

#include "job.h"
#include "run.h"

/** Make it, if the job is to have one. @return 0 or -errno with one line in error */
int trace_file_open(struct job *job, char *error, size_t room);

/** Is it a descriptor (fd:N), as detrun verify gives? Then nothing that goes wrong with it is said,
 * and it is not long. */
bool trace_file_is_given(const struct options *o);

/** More of it. @return 0 or -errno, with which the trace ends */
int trace_file_grow(struct detrun_memory *m, int fd);

/** The whole of it, as far as it may ever go. NULL: errno says why */
uint8_t *trace_file_map(int fd);

/** The command has ended like this. @return 0, or -errno with one line in error: it is not whole */
int trace_file_end(const struct job *job, const struct run_result *result, char *error,
                   size_t room);

#endif
