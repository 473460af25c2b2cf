/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What people look at: one HTML page that needs nothing else. What was run or compared, where two
 * sides part first and what is on both, which runs differ, and how to have it all again.
 */
#ifndef DETRUN_TOOLS_REPORT_H
#define DETRUN_TOOLS_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compare.h"

#define REPORT_CAUSES 16

/** What one row has in one column. */
struct report_cell {
    bool missing;
    bool differs;
    bool first; /**< the first difference of all */
    bool plain; /**< not compared with anything */
    bool sized; /**< it has a length that means something */
    size_t length;
};

struct report_row {
    char *name;
    char *end;     /**< how it ended; NULL: it is no run */
    char *seed;    /**< NULL: as the others */
    char *answers; /**< what detrun answered it, compared with the first run; NULL: not known */
    uint64_t duration_ns;
    bool reference; /**< others are compared with it */
    bool bad;       /**< it failed, or differs */
    struct report_cell *cells;
};

/** One column: a stage of a test, a stream or a file. */
struct report_stage {
    const char *name;
    bool differs;
    bool hidden;                     /**< nothing is in it */
    bool leads;                      /**< what comes behind is made of it */
    const struct artifact *sides[2]; /**< of the pair that is shown; NULL: not kept */
    struct comparison how;
};

struct trace_comparison;

struct report {
    char *path; /**< NULL: none was asked for */
    const char *tool;
    const char *verdict; /**< same, diverged, flaky, inconclusive */
    char *sentence;
    const char *names[2]; /**< of the pair */
    struct report_stage *stages;
    unsigned count;
    unsigned first; /**< that differs; count: none */
    struct report_row *rows;
    size_t rows_count;
    uint64_t rows_left_out;
    unsigned causes_count;
    char *causes[REPORT_CAUSES];          /**< sentences, the likeliest first */
    const json_t *coverage[2];            /**< of the pair; NULL: not known */
    uint32_t real;                        /**< sources that were left real */
    const struct trace_comparison *trace; /**< of the pair; NULL: there is none */
    json_t *settings;                     /**< names and texts, in their order */
    char *again;                          /**< a line for a shell */
};

/** Make the folder, if need be, in which the page will be. @return 0, or -1 after a message */
int report_open(struct report *r, const char *folder);

/** One more row; what it points to is copied. Of those like the others only so many are kept. */
void report_add_row(struct report *r, const struct report_row *row);

/** printf() for a new text, NULL without memory. */
char *report_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Another likely cause, a text of its own. */
void report_add_cause(struct report *r, char *cause);
void report_add_setting(struct report *r, const char *name, const char *text);

/** Write it. @return 0, or -1 after a message */
int report_close(struct report *r);

/** The page itself. */
void report_put_page(FILE *out, const struct report *r);

/** Lines of its style; NULL at the end. */
extern const char *const report_style[];

#endif
