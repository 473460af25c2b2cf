/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files that this process writes, by descriptor: the job is told when, see core/written.h. The
 * kernel need not be asked again at each write.
 */
#ifndef DETRUN_SHIM_WRITES_H
#define DETRUN_SHIM_WRITES_H

#include <stdint.h>

#define WRITES_FDS 1024 /**< larger descriptors count when they are opened */

/**
 * Virtual id of the process << 32 | index of the entry in the job memory, and 1; 0: none. A vfork
 * child shares the table, and what it notes of its own descriptors is none of its parent's.
 */
extern uint64_t writes_table[WRITES_FDS];

static inline uint64_t writes_noted(int fd)
{
    return (unsigned)fd < WRITES_FDS ? __atomic_load_n(&writes_table[fd], __ATOMIC_RELAXED) : 0;
}

/** The slow halves. */
void writes_renew(uint64_t noted);
void writes_copied(int fd, uint64_t noted);

/** A file was opened, and may be written. It moves the caller's wall clock by WRITTEN_TICK_NS. */
void writes_opened(int fd, int flags);

/** This file has been given the present as its time. path: NULL for a descriptor's */
void writes_touched(int dir, const char *path, int flags);

/** Something was written to this descriptor. */
static inline void writes_more(int fd)
{
    uint64_t noted = writes_noted(fd);
    if (noted != 0)
        writes_renew(noted);
}

/** The number stands for another file, or for none; or for the one that another number stands for.
 */
static inline void writes_forget(int fd)
{
    if (writes_noted(fd) != 0)
        __atomic_store_n(&writes_table[fd], 0, __ATOMIC_RELAXED);
}

static inline void writes_copy(int fd, int from)
{
    if (writes_noted(fd) != writes_noted(from))
        writes_copied(fd, writes_noted(from));
}

#endif
