/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A text that grows. When memory runs out it stays what it was, and says so at the end.
 */
#ifndef DETRUN_LIB_BUFFER_H
#define DETRUN_LIB_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
    char *text; /**< with a terminator, or NULL while it is empty; the caller frees it */
    size_t length;
    size_t room;
    bool failed; /**< something is missing: no memory */
};

void buffer_add(struct buffer *b, const char *text, size_t length);
void buffer_put(struct buffer *b, const char *text);
void buffer_print(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A JSON string, in its quotes. Bytes that are not UTF-8 become U+FFFD. */
void buffer_json(struct buffer *b, const char *text);

/** As a member: "name":"text", or "name":null for NULL. */
void buffer_json_member(struct buffer *b, const char *name, const char *text);

/** "name":N,"name_hex":"0xN" */
void buffer_json_u64(struct buffer *b, const char *name, uint64_t number);

void buffer_release(struct buffer *b);

#define AUTO_BUFFER __attribute__((cleanup(buffer_release)))

#endif
