/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Records (contract, section 5): JSON Lines, written by the launcher and, for the programs of the
 * job, by the supervisor, perhaps into one file with other runs.
 *
 * A line is there whole or not at all. After the first one that could not be written there are
 * none: what is missing is missing at the end.
 */
#ifndef DETRUN_LAUNCHER_RECORD_H
#define DETRUN_LAUNCHER_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "detrun/abi.h"

#define RECORD_SCHEMA_VERSION 1

/**
 * @param spec  a path, "-" (standard output) or "fd:N"
 * @return a descriptor above 2 that no program inherits, or -errno with one line in error
 */
int record_open(const char *spec, char *error, size_t room);

/** A line on its way. */
struct record {
    FILE *out; /**< members go here, each with a comma before it */
    char *text;
    size_t size;
};

/**
 * Begin a record with what all have.
 * @param place  of the task, or "0": the launcher
 * @param seq    its number among that task's
 * @return 0 or -ENOMEM
 */
int record_begin(struct record *r, const struct detrun_params *p, const char *place, uint32_t seq,
                 const char *event);

/** A member: a number, and the same as hexadecimal text under NAME_hex. */
void record_put_u64(FILE *out, const char *name, uint64_t value);
/** A member: a text, or null for NULL. */
void record_put_text(FILE *out, const char *name, const char *text);

/**
 * A value: a word as the user gave it. What is not UTF-8 is an object, with the bytes as "hex" and
 * what can be read of it as "text".
 * @param redact  a regular expression, or NULL
 */
void record_put_word(FILE *out, const char *word, const char *redact);

/** Append it to the job's records. @return 0 or -errno, kept in the job memory as well */
int record_end(struct record *r, struct detrun_memory *m, int fd);

/** One that is whole already, without its newline. @return as record_end() */
int record_copy(struct detrun_memory *m, int fd, const char *line);

#endif
