/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Pids in and out: what a program holds is virtual, what the kernel takes is real.
 */
#ifndef DETRUN_SHIM_PIDS_H
#define DETRUN_SHIM_PIDS_H

/**
 * @param pid  0 and real ids stay as they are; a negative one names a group
 * @return     the real id; an unknown virtual one stays (the kernel says ESRCH) and is counted
 */
int pids_to_real(int pid);

/**
 * pids_to_real(), but 0 for the calling thread: a program's own filter may let it ask for itself
 * alone, by the id that it was told and not by the real one, which libc passes as well
 * (pthread_getattr_np).
 */
int pids_for_kernel(int pid);

/** @return the virtual id of a real one; errors, 0, virtual and (counted) outside ids stay. */
int pids_to_virtual(int pid);

/**
 * The same two for ids inside structures: with --real pid they stay as they are. pids_out() also
 * takes the negative name of a group, and needs no record of the calling thread.
 */
int pids_in(int pid);
int pids_out(int pid);

/**
 * pids_to_virtual() of what wait(2) or ptrace(2) names: a new process or thread that its creator's
 * fork has not returned from yet has a record, but no pid in it. The supervisor binds it.
 */
int pids_of_tracee(int pid);

#endif
