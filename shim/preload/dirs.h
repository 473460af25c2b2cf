/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Directories in the order of their names: "." and ".." first, all others bytewise.
 *
 * The whole directory is read, and given out from memory. Where a reader stands is the kernel's
 * file position alone, which processes and duplicates share: the number of entries given, or
 * WINDOW_END behind the last one. It is also what d_off says. What does not fit into the reader's
 * buffer is kept in a few slots, by descriptor and file; of these the memory may go at any time,
 * since the name given last is kept, too, and the directory read again from there. So entries that
 * stay are given once, however it changes meanwhile.
 */
#ifndef DETRUN_SHIM_DIRS_H
#define DETRUN_SHIM_DIRS_H

#include <stdbool.h>
#include <stddef.h>

/** Are directories sorted here? Attaches. */
bool dirs_are_on(void);

/** getdents64 of any descriptor. */
long dirs_list(int fd, void *buf, unsigned len);

/** The descriptor is about to be closed. */
void dirs_forget(int fd);

#endif
