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

/** Why its image loads no library. */
enum command_kind {
    COMMAND_DYNAMIC, /**< it does, as far as is known */
    COMMAND_STATIC,
    COMMAND_PRIVILEGED, /**< ld.so drops LD_PRELOAD where privileges are given */
};

/** Of a script its interpreter is looked at. name: as for execvp */
enum command_kind command_kind(const char *name);

#endif
