/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Start-up: the one constructor, and what it read from the environment.
 */
#ifndef DETRUN_SHIM_INIT_H
#define DETRUN_SHIM_INIT_H

/** The environment as it lay on the stack at start; the auxiliary vector follows it. */
char *const *init_environment(void);

/**
 * Somebody asks before our constructor has run: a relocation resolver, or the constructor of
 * another library that the linker was told to start first. From the second call on, and after the
 * constructor, it does nothing.
 */
void init_early(void);

#endif
