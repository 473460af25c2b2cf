/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The program that a command's name leads to.
 */
#ifndef DETRUN_LAUNCHER_COMMAND_H
#define DETRUN_LAUNCHER_COMMAND_H

#include <stdbool.h>

/** Is it an image of another class, whose ld.so would complain of the shim? name: as for execvp */
bool command_is_foreign(const char *name);

#endif
