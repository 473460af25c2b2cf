/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_TOOLS_SELF_H
#define DETRUN_TOOLS_SELF_H

/** The path of a program beside this one, the caller's; NULL with errno. */
char *self_beside(const char *name);

#endif
