/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Why two sides differ, as sentences: what the kind of the difference says, what was left to the
 * machine, and what detrun knows of that it does not control.
 */
#ifndef DETRUN_TOOLS_REPORT_CAUSES_H
#define DETRUN_TOOLS_REPORT_CAUSES_H

#include "options.h"
#include "report.h"

/** Of runs. @param other_inputs  what detrun answered differs as well */
void report_find_causes(struct report *r, const struct options *o, bool other_inputs);

/** What the kind of the first difference alone says. */
void report_explain_kind(struct report *r);

#endif
