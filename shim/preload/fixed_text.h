/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files that tell of the machine: its name and id, its memory and load.
 */
#ifndef DETRUN_SHIM_FIXED_TEXT_H
#define DETRUN_SHIM_FIXED_TEXT_H

#include <stdbool.h>

/** A file was opened for reading. One of these gives way, under the same number, to a copy that
 * tells of no machine. @return whether it is one */
bool fixed_text_opened(int fd, const char *path);

/** Is that where libuuid counts, for all programs of the machine? */
bool fixed_text_is_counter(const char *path);

#endif
