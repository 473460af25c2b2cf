/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Is every thread of the job blocked?
 *
 * The kernel knows: a thread that was woken is runnable from that moment on. What the threads tell
 * of themselves makes one look enough: whoever went on meanwhile tells of something new. Of those
 * that tell nothing a second look, some time later, must find no switch of context in between.
 */
#ifndef DETRUN_LAUNCHER_THREADS_H
#define DETRUN_LAUNCHER_THREADS_H

#include "supervisor.h"

/** @param awaits_outside  set when one of them waits for something outside the job */
bool threads_all_blocked(struct supervisor *s, bool *awaits_outside);

/** CPU time of all threads of the job that live, ns. */
uint64_t threads_cpu_time(struct supervisor *s);

/** Call for each record in use of each job, in the order of their indices. */
typedef void threads_visit(struct supervisor_job *job, struct detrun_task *t, void *argument);
void threads_each(struct supervisor *s, threads_visit *visit, void *argument);

/** The same for each process that lives and has a number out here, with that. */
typedef void threads_visit_process(struct supervisor_job *job, struct detrun_task *process,
                                   int32_t pid, void *argument);
void threads_each_process(struct supervisor *s, threads_visit_process *visit, void *argument);

/** Those that are not followed, which are not among the others. */
void threads_each_unfollowed(struct supervisor *s, threads_visit_process *visit, void *argument);
bool threads_any_unfollowed(struct supervisor *s);

#endif
