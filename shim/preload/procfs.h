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
#include <stddef.h>

#include "detrun/abi.h"

/** Longer paths are left alone. They lie on stacks of signal handlers, too. */
#define PROCFS_PATH 512

/** Are ids of /proc answered? Attaches. */
bool procfs_is_on(void);

/** Does this descriptor's file lie in a /proc? */
bool procfs_holds(int fd);

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

/**
 * Declares result: what a call with this path says, asked again with real ids where that helps.
 * The call is an expression in path, a variable of the caller's.
 */
#define PROCFS_ASK(result, dir, path, call)                                                        \
    char real_path[PROCFS_PATH];                                                                   \
    long result = (call);                                                                          \
    if (procfs_renamed(result, dir, path, real_path)) {                                            \
        (path) = real_path;                                                                        \
        result = (call);                                                                           \
    }

/** Two ids, each of at most three digits more than the kernel's. */
#define PROCFS_GROWTH 16

/**
 * A path as the kernel tells it, "/proc/PID..." or "/proc/PID/task/TID...", with virtual ids.
 * @param told  out: not terminated, room for n + PROCFS_GROWTH
 * @return its length, 0: there is nothing in it to tell otherwise
 */
size_t procfs_tell(const char *path, size_t n, char *told);

/**
 * A symbolic link's text was read: one of /proc leads to real ids.
 * @param n     the result, which is not an error
 * @return the length of what now stands in the buffer, cut off as the kernel cuts it off
 */
long procfs_link_read(int dir, const char *path, char *buf, size_t size, long n);

/**
 * A file was opened for reading. One of /proc whose text has ids in it gives way, under the same
 * number, to a copy with virtual ids, made now.
 */
void procfs_text_opened(int fd, const char *path);

/** This text in the file's place. @return whether it is */
bool procfs_text_put(int fd, const char *text, size_t n);

/** Is this a directory of processes or threads, /proc or /proc/PID/task? */
bool procfs_lists(int fd);

/** getdents64 of any descriptor: such a directory lists the job's members by virtual ids. */
long procfs_list(int fd, void *buf, unsigned len);

/** Room for the path of a descriptor's link. */
#define PROCFS_LINK 32

/** "/proc/self/fd/N". */
void procfs_link_of(int fd, char path[PROCFS_LINK]);

/** May the path lead to /proc? NULL and bad pointers do not. */
bool procfs_is_near(const char *path);

#endif
