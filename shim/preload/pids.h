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

/** @return the virtual id of a real one; errors, 0 and (counted) ids outside the job stay. */
int pids_to_virtual(int pid);

#endif
