/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files by the job's own numbers, see core/inode.h: st_ino, stx_ino and d_ino. When a file is seen
 * for the first time its path is looked for; from then on its number costs no call.
 */
#ifndef DETRUN_SHIM_INODES_H
#define DETRUN_SHIM_INODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How the program named a file that the kernel has just found. */
struct file_name {
    int dir;
    const char *path; /**< NULL, "": what the descriptor stands for */
    bool follows;     /**< a symbolic link at its end */
};

/** Have files numbers of the job? Attaches. */
bool inodes_are_on(void);

/** What the kernel said of a file, as far as it is told otherwise. */
struct file_state {
    uint64_t dev;
    uint64_t ino;
    uint64_t links;
    uint64_t size;
    uint64_t blocks;     /**< of 512 bytes */
    uint64_t block_size; /**< in which it is best read */
    unsigned mode;
};

/**
 * The job's numbers of file and device, and what its size takes up on the usual file system.
 * @return false: it is as the kernel has it
 */
bool inodes_show(const struct file_name *name, struct file_state *file);

/**
 * The job's number of a device.
 * @param mounted  of n bytes: where the first of its files lie, n 0: that is not to be learned now
 */
uint64_t inodes_device(uint64_t dev, const char *mounted, size_t n);

/** Entries that getdents64 has given: n bytes, or an error. @return n */
long inodes_listed(int fd, void *buf, long n);

/** A pipe was made. */
void inodes_pipe_made(int fd);

/** The job's number of a pipe that the kernel knows by this one; that one: it has none. */
uint64_t inodes_of_pipe(uint64_t ino);

/** A name that is about to go, and the file that it is the last one of. */
struct inodes_name {
    uint64_t dev;
    uint64_t ino;
    bool last; /**< it is */
};

struct inodes_name inodes_look(int dir, const char *path);

/** The call that removes it has been made. @return its result */
long inodes_removed(const struct inodes_name *name, long result);

/** Another file has been renamed to it, or the same one. @return that call's result */
long inodes_replaced(const struct inodes_name *name, int dir, const char *path, long result);

#endif
