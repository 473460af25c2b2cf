/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a program finds around it besides what the job answers: environment variables, umask,
 * limits. The caller's, or the same everywhere.
 */
#ifndef DETRUN_LAUNCHER_PROFILE_H
#define DETRUN_LAUNCHER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

enum profile {
    PROFILE_HOST,   /**< as it is */
    PROFILE_CI,     /**< a plain terminal */
    PROFILE_MODERN, /**< one with colours */
    PROFILES
};

extern const char *const profile_names[PROFILES];

#define PROFILE_VARIABLES_MAX 32

/** Set and unset the profile's variables. The vector has room for PROFILE_VARIABLES_MAX more. */
void profile_apply(enum profile profile, char **environment);

/**
 * Sort the variables, whose order is the caller's, and add the one that brings the size of the area
 * above the stack, which argv, environment and the program's path make up, to a multiple of
 * PROFILE_AREA: stack addresses then do not tell where the program lies or who started it. @return
 * 0 or -ENOMEM; the vector has room for one more
 */
#define PROFILE_AREA (32 * 1024)
int profile_finish(enum profile profile, char **environment, char *const *argv, const char *path);

/**
 * @return processors that programs see, or 0: the machine's. Two: programs that have threads use
 * them, and no machine is asked for many more than it has.
 */
unsigned profile_cpus(enum profile profile);

/** In the command's process: umask and the stack's limit. */
void profile_apply_limits(enum profile profile);

#endif
