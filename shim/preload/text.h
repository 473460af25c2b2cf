/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A text on its way from one descriptor to another, a record at a time.
 */
#ifndef DETRUN_SHIM_TEXT_H
#define DETRUN_SHIM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_PIECE 1024

struct text {
    int from;
    int to;
    int real_tid;   /**< whose file it is */
    unsigned round; /**< through a file that is told several times */
    bool failed;
    bool inside; /**< of a record, whose beginning was told */
    bool done;   /**< what follows is not told */
    size_t used;
    char out[TEXT_PIECE];
};

void text_flush(struct text *t);
void text_put(struct text *t, const char *bytes, size_t n);
void text_put_number(struct text *t, uint64_t number);

/** With its end. */
void text_put_string(struct text *t, const char *string);

#endif
