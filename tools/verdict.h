/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_TOOLS_VERDICT_H
#define DETRUN_TOOLS_VERDICT_H

/** The word on standard output; in colour on a terminal that has colours, unless NO_COLOR is set to
 * something (no-color.org). */
void verdict_put(const char *verdict);

#endif
