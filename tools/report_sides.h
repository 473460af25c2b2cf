/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Two artefacts beside each other in an HTML page, from a little before where they part: lines
 * where they are text, hexadecimal where not. What is long is cut, and the page says how much.
 */
#ifndef DETRUN_TOOLS_REPORT_SIDES_H
#define DETRUN_TOOLS_REPORT_SIDES_H

#include <stdio.h>

#include "compare.h"

/** @param names  of the sides */
void report_put_sides(FILE *out, const struct artifact *a, const struct artifact *b,
                      const struct comparison *how, const char *const names[2]);

#endif
