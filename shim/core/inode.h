/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The numbers by which a job knows its files. The kernel's hang on the file system and on what was
 * made there before; a file's own follows from the name under which the job first saw it, within
 * its folder's number, and stays with the file from then on: under other names, and when it moves.
 *
 * Two tables in the job memory, whose words are set once by compare-and-swap: from files to
 * numbers, and from numbers to files, so that no two files have one. Files whose kernel's numbers
 * are close together stand on one page of the first, files of one folder on one page of the second.
 */
#ifndef DETRUN_CORE_INODE_H
#define DETRUN_CORE_INODE_H

#include <stdbool.h>
#include <stddef.h>

#include "detrun/abi.h"

/** Above those that are left to the kernel, positive as an int, of ten digits all. */
#define INODE_FIRST (UINT32_C(1) << 30)
#define INODE_END   (UINT32_C(1) << 31)

/** What stands for the folder of what has none: each a place of its own. */
enum inode_place { INODE_ROOT, INODE_NOWHERE, INODE_START /**< + which one */ };

/** A file as the kernel knows it. */
struct inode {
    uint32_t device; /**< index of a detrun_device */
    uint64_t number;
};

/**
 * @param linked  it has a name: what had the kernel's number and lost its last name was another
 * file
 * @return the file's number; 0: it has none yet
 */
uint32_t inode_find(struct detrun_memory *m, struct inode file, bool linked);

/** It has lost its last name. Its number is not given again, while there is any other. */
void inode_gone(struct detrun_memory *m, struct inode file);

/**
 * Give it one, unless it has one. It has a name.
 * @param folder  the number of its folder, or an enum inode_place
 * @return 0: the table is full, which is counted
 */
uint32_t inode_enter(struct detrun_memory *m, struct inode file, uint32_t folder, const void *name,
                     size_t n);

/** One of many files of a folder. */
struct inode_entry {
    struct inode file;
    const char *name;
    size_t n;
    uint32_t number; /**< out: as inode_enter() */
};

#define INODE_MANY 32

/** Enter up to INODE_MANY at once: what memory each needs is asked for before it is waited for. */
void inode_enter_all(struct detrun_memory *m, uint32_t folder, struct inode_entry *entries,
                     size_t count);

/**
 * Pipes have no names: what counts is who has made one, or has seen it first, and how many before.
 * The latest 65,536 have a place, by the kernel's numbers, which are given one after the other.
 * @return the pipe's number; it may be one that a file has
 */
uint32_t inode_pipe(struct detrun_memory *m, struct detrun_task *t, uint64_t ino);

/** One that the job was given, as this descriptor. */
void inode_pipe_given(struct detrun_memory *m, uint64_t dev, uint64_t ino, int fd);

/** The device's entry, made when it has none. NULL: the table is full. */
_Atomic uint64_t *inode_device(struct detrun_memory *m, uint64_t dev);

/**
 * It has files, and is mounted here. Its number follows from that, or from the job being started on
 * it: of major 0, as of file systems that lie on no device of their own.
 * @param n  of the path; 0: it keeps its number
 */
void inode_device_mounted(struct detrun_memory *m, _Atomic uint64_t *device, const char *path,
                          size_t n);

/** The job's number of a device, as st_dev has it. */
uint64_t inode_device_number(uint64_t word);

#endif
