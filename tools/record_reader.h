/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files of records: JSON Lines, or JSON texts behind a record separator (0x1e, RFC 7464), which may
 * span lines. Read one at a time, however large the file.
 */
#ifndef DETRUN_TOOLS_RECORD_READER_H
#define DETRUN_TOOLS_RECORD_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct record_reader {
    const char *path;
    FILE *file;
    unsigned line; /**< of the last record's first character, from 1 */
    unsigned next_line;
    bool separated; /**< this record stood behind a separator */
    bool lost;      /**< what is read is no text of lines: nothing more is to be had of it */
    char *text;
    size_t length;
    size_t room;
};

/** @param path  "-": standard input. @return 0, or -1 with one line in error */
int record_reader_open(struct record_reader *r, const char *path, char *error, size_t room);

/**
 * The next record, the caller's.
 * @return 1, 0 at the end, -1 with one line in error: file, line and what is wrong there
 */
int record_reader_next(struct record_reader *r, json_t **record, char *error, size_t room);

/** After an error: is there a next line to go on with? */
static inline bool record_reader_is_lost(const struct record_reader *r)
{
    return r->lost;
}

void record_reader_close(struct record_reader *r);

/** Members, or what stands for a missing one. */
const char *record_text(const json_t *record, const char *name, const char *missing);
/** A word as the user gave it, the caller's; NULL: it is none. */
char *record_word(const json_t *value);
bool record_is(const json_t *record, const char *event);
/** An exact one: NAME_hex. @return false: there is none */
bool record_u64(const json_t *record, const char *name, uint64_t *value);
/** A small one. */
int64_t record_number(const json_t *record, const char *name, int64_t missing);

#endif
