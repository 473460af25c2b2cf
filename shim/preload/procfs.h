/* SPDX-License-Identifier: MIT */
/**
 * @file
 * /proc names processes by real ids, a program by virtual ones: what is asked with a virtual id is
 * asked again with the real one, what is told with a real id is told with the virtual one.
 */
#ifndef DETRUN_SHIM_PROCFS_H
#define DETRUN_SHIM_PROCFS_H

#include <errno.h>
#include <stdbool.h>

#include "detrun/abi.h"

/** Longer paths are left alone. They lie on stacks of signal handlers, too. */
#define PROCFS_PATH 512

/** The slow half of procfs_renamed(). */
bool procfs_rename(int dir, const char *path, char real[PROCFS_PATH]);

/**
 * A path with a virtual id in /proc is one that the kernel does not know, so nobody looks at a path
 * before that has said so: it is readable then, and all that exists costs a comparison.
 * @param result  what the kernel said about the path: only after -ENOENT there is anything to do
 * @param real    out: the path with real ids, no longer than the original
 * @return true when it names processes of the job by virtual ids: ask again with real
 */
static inline bool procfs_renamed(long result, int dir, const char *path, char real[PROCFS_PATH])
{
    return __builtin_expect(result == -ENOENT, 0) && procfs_rename(dir, path, real);
}

#endif
