/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What detrun itself says on standard error.
 */
#ifndef DETRUN_LAUNCHER_MESSAGE_H
#define DETRUN_LAUNCHER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/** A text of the caller's for a terminal: control characters as in C, and cut off where it is full.
 */
void message_escape(char *out, size_t room, const char *text);

bool message_has_control(const char *text);

/** One line, "detrun: " in front of it. Works on the smallest stack. */
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
