/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The path of a file from the root, without links, without a descriptor of our own: another
 * thread's next one would have another number.
 */
#ifndef DETRUN_SHIM_INODE_PATH_H
#define DETRUN_SHIM_INODE_PATH_H

#include <stddef.h>

#include "inodes.h"

/** Of longer paths nothing is known: they lie on stacks of signal handlers, too. */
#define INODE_PATH 1024

/**
 * @param text  out: "/", or "/a/b"; ends with '\0'
 * @return its length; 0: not known
 */
size_t inode_path(const struct file_name *name, char text[INODE_PATH]);

/** Without its last name: "/a" of "/a/b", "/" of "/a". @return that length, at least 1 */
size_t inode_path_folder(const char *text, size_t n);

#endif
