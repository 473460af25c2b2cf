/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

static bool make_room(struct buffer *b, size_t more)
{
    if (b->length + more < b->room)
        return true;
    size_t room = b->room ? b->room : 128;
    while (room <= b->length + more)
        room *= 2;
    char *text = realloc(b->text, room);
    if (!text) {
        b->failed = true;
        return false;
    }
    b->text = text;
    b->room = room;
    return true;
}

void buffer_add(struct buffer *b, const char *text, size_t length)
{
    if (!make_room(b, length))
        return;
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

void buffer_put(struct buffer *b, const char *text)
{
    buffer_add(b, text, strlen(text));
}

void buffer_print(struct buffer *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (n < 0 || !make_room(b, (size_t)n))
        return;
    va_start(arguments, format);
    vsnprintf(b->text + b->length, (size_t)n + 1, format, arguments);
    va_end(arguments);
    b->length += (size_t)n;
}

static bool is_continuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* The shortest forms alone, no surrogates, up to U+10FFFF: RFC 3629, section 4. */
static size_t utf8_length(const unsigned char *at)
{
    unsigned char c = at[0];
    if (c < 0x80)
        return 1;
    size_t n = c >= 0xc2 && c < 0xe0   ? 2
               : c >= 0xe0 && c < 0xf0 ? 3
               : c >= 0xf0 && c < 0xf5 ? 4
                                       : 0;
    for (size_t i = 1; i < n; i++)
        if (!is_continuation(at[i]))
            return 0;
    bool bad = (c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f) ||
               (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] > 0x8f);
    return bad ? 0 : n;
}

/* @return how many bytes of the text it was */
static size_t put_character(struct buffer *b, const unsigned char *at)
{
    size_t n = utf8_length(at);
    if (n == 0)
        buffer_put(b, REPLACEMENT);
    else if (*at == '"' || *at == '\\')
        buffer_print(b, "\\%c", *at);
    else if (*at < 0x20 || *at == 0x7f)
        buffer_print(b, "\\u%04x", *at);
    else
        buffer_add(b, (const char *)at, n);
    return n ? n : 1;
}

void buffer_json(struct buffer *b, const char *text)
{
    buffer_put(b, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at;)
        at += put_character(b, at);
    buffer_put(b, "\"");
}

void buffer_json_member(struct buffer *b, const char *name, const char *text)
{
    buffer_print(b, "\"%s\":", name);
    if (text)
        buffer_json(b, text);
    else
        buffer_put(b, "null");
}

void buffer_json_u64(struct buffer *b, const char *name, uint64_t number)
{
    buffer_print(b, "\"%s\":%" PRIu64 ",\"%s_hex\":\"0x%" PRIx64 "\"", name, number, name, number);
}

void buffer_release(struct buffer *b)
{
    free(b->text);
    *b = (struct buffer){0};
}
