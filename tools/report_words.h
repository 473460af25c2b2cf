/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What differs in one line of a text that has another one beside it, word by word.
 */
#ifndef DETRUN_TOOLS_REPORT_WORDS_H
#define DETRUN_TOOLS_REPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct part {
    const char *bytes;
    size_t length;
};

/** The beginning of it; what is left out is counted. @param blanks  show blanks as well */
void words_put_head(FILE *out, struct part p, size_t room, bool blanks);

/** A line as it is on one side, with what differs from the other one marked. */
void words_put_changed(FILE *out, struct part own, struct part other);

#endif
