/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_LAUNCHER_JSON_H
#define DETRUN_LAUNCHER_JSON_H

#include <stdio.h>

/** A text in quotes. */
void json_string(FILE *out, const char *text);

#endif
