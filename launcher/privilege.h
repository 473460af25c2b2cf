/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Programs that give privileges to who executes them: set-user-id, set-group-id, and those with
 * capabilities of their files'.
 */
#ifndef DETRUN_LAUNCHER_PRIVILEGE_H
#define DETRUN_LAUNCHER_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>

/** Does this one, to somebody with these effective ids? Where no_new_privs lets it. */
bool privilege_given(const char *program, uint64_t user, uint64_t group);

#endif
