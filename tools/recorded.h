/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One failure among records, and those of its run.
 */
#ifndef DETRUN_TOOLS_RECORDED_H
#define DETRUN_TOOLS_RECORDED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** What the records say of one failure. All the caller's; NULL: not found. */
struct recorded {
    json_t *start; /**< of its run, or of the repeat that its run was one of */
    json_t *failure;
    char *start_text; /**< the records as they were written: numbers in them are exact */
    char *failure_text;
    char *end_text;
    json_t *end; /**< of its run: an end or iteration record */
};

/**
 * @param number  of the failure, as detrun failures counts
 * @return 0, or -1 with one line in error
 */
int recorded_find(struct recorded *found, const char *path, unsigned number, char *error,
                  size_t room);
void recorded_free(struct recorded *found);

/** A program that says which of its iterations failed fails as a whole, too: told once. */
bool recorded_is_told(const json_t *record, const json_t *last);

/** Was this failure one of the program's own iterations? Its number, 0: no. */
unsigned recorded_iteration(const json_t *failure);

#endif
