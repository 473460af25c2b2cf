/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Limits that the caller has set (ulimit) are meant for the command. Launcher and supervisor need
 * some room of their own, most of all for the job memory.
 */
#ifndef DETRUN_LAUNCHER_ROOM_H
#define DETRUN_LAUNCHER_ROOM_H

#include <stddef.h>

/** Raise the limits for this process, as far as it may. */
void room_make(void);

/** In the command's process, before its exec: the limits as they were given. */
void room_give_back(void);

/** What would fail without a word. @return 0, or -ENOMEM with one line */
int room_check(char *error, size_t room);

/** What to do about an error (negative) that comes from a limit, to follow its text; else "". */
const char *room_advice(int error);

#endif
