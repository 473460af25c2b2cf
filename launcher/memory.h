/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The file behind a job memory.
 */
#ifndef DETRUN_LAUNCHER_MEMORY_H
#define DETRUN_LAUNCHER_MEMORY_H

/** Sparse, zeroed, without a name, close-on-exec. @return a descriptor or -errno */
int memory_open(void);

#endif
