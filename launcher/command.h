/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The program that a command's name leads to: looked for as by execvp, and only once.
 */
#ifndef DETRUN_LAUNCHER_COMMAND_H
#define DETRUN_LAUNCHER_COMMAND_H

#include <stdbool.h>

struct command_file {
    const char *name;
    const char *rest; /**< of PATH, behind the folder that path is in; NULL: that was the last */
    const char *path; /**< until the next search */
};

/** The first file of that name that may be run; or, if there is none, the first place for one. */
void command_find(struct command_file *c, const char *name);

/** Is it an image of another class, whose ld.so would complain of the shim? */
bool command_is_foreign(const struct command_file *c);

/** As execvpe, from the file found on. @return -errno, and only when that fails */
int command_exec(struct command_file *c, char *const *argv, char *const *environment);

/** For reading: the file itself, and the loader (ld.so) of what the kernel loads for it.
 *  @return a descriptor, or -1: there is none */
int command_open(const struct command_file *c);
int command_open_loader(const struct command_file *c);

/** Why its image loads no library. */
enum command_kind {
    COMMAND_DYNAMIC, /**< it does, as far as is known */
    COMMAND_STATIC,
    COMMAND_PRIVILEGED, /**< ld.so drops LD_PRELOAD where privileges are given */
};

/** Of a script its interpreter is looked at. */
enum command_kind command_kind(const struct command_file *c);

#endif
