/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Comma-separated values (RFC 4180): fields in quotes may hold commas, quotes and newlines.
 */
#ifndef DETRUN_TOOLS_CSV_H
#define DETRUN_TOOLS_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct csv_row {
    char **fields;
    size_t count;
};

struct csv {
    struct csv_row *rows;
    size_t count;
};

/** @return false: out of memory, or a quote that does not end */
bool csv_parse(struct csv *csv, const char *text, size_t length);
void csv_free(struct csv *csv);

#endif
