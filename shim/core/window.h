/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A part of a directory in the order of its names, in memory of bounded size: the entries that
 * come next after a name, as many as there is room for. "." and ".." come first, all others follow
 * bytewise.
 *
 * Entries are as the kernel gives them, packed from the start of the area. While the directory is
 * read the larger half of the names is dropped whenever there is no room, so that a directory of
 * any size takes no more than the area, and one reading for each area's worth of names.
 *
 * Where a reader stands is the kernel's file position alone, which processes and duplicates share:
 * the number of entries given, or WINDOW_END behind the last one. It is also what d_off says.
 */
#ifndef DETRUN_CORE_WINDOW_H
#define DETRUN_CORE_WINDOW_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window {
    char *area;
    uint32_t size;  /**< of the area, a multiple of 8 */
    uint32_t used;  /**< bytes of entries */
    uint32_t count; /**< of entries in order */
    bool complete;  /**< nothing comes behind the last one */
};

/** The largest position that every file system takes. */
#define WINDOW_END INT_MAX

/** getdents64(2), of the kernel's own order. */
typedef long window_source(int fd, void *buf, unsigned len);

/** As the kernel's struct linux_dirent64, which is glibc's and musl's struct dirent. */
static inline struct dirent *window_entry(const struct window *w, uint32_t i)
{
    const uint32_t *index = (const uint32_t *)(const void *)w->area + w->size / sizeof(uint32_t);
    return (struct dirent *)(void *)(w->area + *(index - 1 - i));
}

/**
 * Read the directory, whose descriptor stands at the start, and anywhere afterwards.
 * @param w      area and size are given; 2048 bytes are enough
 * @param after  only names behind this one; NULL: all
 * @return 0, or what the kernel said; -ENOBUFS: more names than there is room for, and only
 *         where `may_drop` is false
 */
long window_read(struct window *w, window_source *source, int fd, const char *after, bool may_drop);

/** Where a reader stands behind the i-th entry of a window, before which there are so many. */
static inline int window_position(const struct window *w, int before, uint32_t i)
{
    return i + 1 == w->count && w->complete ? WINDOW_END : before + (int)i + 1;
}

/** As strcmp, but with "." and ".." before all. */
int window_compare(const char *a, const char *b);

#endif
