/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_LAUNCHER_JSON_H
#define DETRUN_LAUNCHER_JSON_H

#include <stdbool.h>
#include <stdio.h>

/** A text in quotes. What is not UTF-8 in it becomes U+FFFD. */
void json_put_text(FILE *out, const char *text);

/** UTF-8 throughout? */
bool json_is_utf8(const char *text);

/** No control characters, and UTF-8 throughout? */
bool json_is_text(const char *text);

#endif
