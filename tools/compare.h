/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Two artefacts, and what kind of difference there is between them (contract, section 7).
 */
#ifndef DETRUN_TOOLS_COMPARE_H
#define DETRUN_TOOLS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "artifact.h"

/** Each level lets more pass than the one before it. */
enum level {
    LEVEL_BYTES,
    LEVEL_ORDER,  /**< the same values in the same order */
    LEVEL_VALUES, /**< the same values in any order */
    LEVEL_NONE    /**< other values */
};

extern const char *const level_names[];

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_BINARY };

extern const char *const format_names[];

struct comparison {
    enum format format;
    enum level level; /**< the strictest at which they are the same */
    bool same_values; /**< LEVEL_NONE: the values are the same all the same, but bound otherwise */
    struct difference first; /**< in bytes */
    char kind[256];          /**< "key order; trailing newline" */
    char where[256];         /**< path, or row and column, or field; "": only the offset is known */
};

/** @param name  a path, whose ending may say what it is; or "" */
void compare(const struct artifact *a, const struct artifact *b, const char *name,
             struct comparison *c);

/* By format; first and format are filled in. @return false: one of them is not of that format */
bool compare_json(const struct artifact *a, const struct artifact *b, struct comparison *c);
bool compare_csv(const struct artifact *a, const struct artifact *b, struct comparison *c);
void compare_text(const struct artifact *a, const struct artifact *b, struct comparison *c);
void compare_binary(const struct artifact *a, const struct artifact *b, struct comparison *c);

/** One more kind of difference. */
void compare_add_kind(struct comparison *c, const char *kind);

/** What line endings, and the end of the last line, are: differences of texts of any format. */
void compare_line_ends(const struct artifact *a, const struct artifact *b, struct comparison *c);

#endif
