/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Lines of two texts that belong beside each other: the longest sequence that both have is the
 * same, what is between is what changed.
 */
#ifndef DETRUN_TOOLS_REPORT_LINES_H
#define DETRUN_TOOLS_REPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "artifact.h"

struct line {
    const char *bytes; /**< of the artefact */
    size_t length;     /**< without its newline */
    size_t number;     /**< from 1 */
    bool ended;        /**< by a newline */
};

struct line_side {
    struct line *lines;
    size_t count;
    size_t behind; /**< bytes behind them, that were not looked at */
};

struct line_pair {
    int a; /**< which line; -1: none */
    int b;
    bool same;
};

struct lines {
    struct line_side sides[2];
    struct line_pair *pairs;
    size_t count;
};

/** Fill in the pairs of two sides that are filled in already. @return 0 or -ENOMEM */
int lines_pair(struct lines *l);

/** From a few lines before an offset on, so many lines as are worth a look. @return 0 or -ENOMEM */
int lines_align(struct lines *l, const struct artifact *const both[2], size_t offset);
void lines_free(struct lines *l);

#endif
