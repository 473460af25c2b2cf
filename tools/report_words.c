/* SPDX-License-Identifier: MIT */
#include "report_words.h"

#include <ctype.h>
#include <stdlib.h>

#include "report_html.h"
#include "report_lines.h"

#define BEFORE   120 /**< bytes of a long line that are shown before what differs, and so on */
#define WITHIN   600
#define AFTER    120
#define WORDS    400
#define WORD_MAX 64

static void put_cut(FILE *out, size_t bytes)
{
    fputs("<span class=cut>&#8230;", out);
    html_put_count(out, bytes, "byte", "bytes");
    fputs("&#8230;</span>", out);
}

void words_put_head(FILE *out, struct part p, size_t room, bool blanks)
{
    size_t shown = p.length > room + room / 4 ? room : p.length;
    html_put_bytes(out, p.bytes, shown, blanks);
    if (shown < p.length)
        put_cut(out, p.length - shown);
}

/* The end of it. */
static void put_tail(FILE *out, struct part p, size_t room)
{
    size_t left_out = p.length > room + room / 4 ? p.length - room : 0;
    if (left_out > 0)
        put_cut(out, left_out);
    html_put_bytes(out, p.bytes + left_out, p.length - left_out, false);
}

/* Bytes of characters beyond ASCII belong to a word: none is cut in two. */
static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || (unsigned char)byte >= 0x80;
}

static bool is_inside_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The beginning of the word that goes on at n; of a very long one, that of the character. */
static size_t back_to_word(struct part p, size_t n)
{
    size_t at = n;
    while (at > 0 && n - at < WORD_MAX && is_word(p.bytes[at - 1]))
        at--;
    if (n - at < WORD_MAX)
        return at;
    for (at = n; at > 0 && at < p.length && is_inside_character(p.bytes[at]); at--)
        ;
    return at;
}

static size_t on_to_word(struct part p, size_t n)
{
    size_t at = n;
    while (at < p.length && at - n < WORD_MAX && is_word(p.bytes[at]))
        at++;
    if (at - n < WORD_MAX)
        return at;
    for (at = n; at < p.length && is_inside_character(p.bytes[at]); at++)
        ;
    return at;
}

/* How many bytes at the beginning, and at the end, are the same: whole words. */
static void find_middle(struct part a, struct part b, size_t *before, size_t *after)
{
    size_t most = a.length < b.length ? a.length : b.length;
    size_t n = 0;
    while (n < most && a.bytes[n] == b.bytes[n])
        n++;
    *before = back_to_word(a, n);
    for (n = 0; n < most - *before; n++)
        if (a.bytes[a.length - n - 1] != b.bytes[b.length - n - 1])
            break;
    *after = a.length - on_to_word(a, a.length - n);
}

/* Words, and what is between them byte by byte. @return false: too many, or no memory */
static bool split(struct line_side *side, struct part p)
{
    side->lines = calloc(WORDS, sizeof(*side->lines));
    for (size_t at = 0; side->lines && at < p.length;) {
        size_t n = 1;
        while (is_word(p.bytes[at]) && at + n < p.length && is_word(p.bytes[at + n]))
            n++;
        if (side->count == WORDS)
            return false;
        side->lines[side->count++] = (struct line){p.bytes + at, n, 0, false};
        at += n;
    }
    return side->lines != NULL;
}

static void put_word(FILE *out, const struct line *word, bool same, bool *marked)
{
    if (*marked == same)
        fputs(same ? "</mark>" : "<mark>", out);
    *marked = !same;
    html_put_bytes(out, word->bytes, word->length, !same);
}

static void put_words(FILE *out, const struct lines *l)
{
    bool marked = false;
    for (size_t i = 0; i < l->count; i++)
        if (l->pairs[i].a >= 0)
            put_word(out, &l->sides[0].lines[l->pairs[i].a], l->pairs[i].same, &marked);
    fputs(marked ? "</mark>" : "", out);
}

static void put_middle(FILE *out, struct part own, struct part other)
{
    struct lines l = {0};
    bool few = own.length <= WITHIN && other.length <= WITHIN;
    if (few && split(&l.sides[0], own) && split(&l.sides[1], other) && lines_pair(&l) == 0) {
        put_words(out, &l);
    } else if (own.length > 0) {
        fputs("<mark>", out);
        words_put_head(out, own, WITHIN, true);
        fputs("</mark>", out);
    }
    lines_free(&l);
}

static struct part middle_of(struct part p, size_t before, size_t after)
{
    return (struct part){p.bytes + before, p.length - before - after};
}

void words_put_changed(FILE *out, struct part own, struct part other)
{
    size_t before;
    size_t after;
    find_middle(own, other, &before, &after);
    put_tail(out, (struct part){own.bytes, before}, BEFORE);
    put_middle(out, middle_of(own, before, after), middle_of(other, before, after));
    words_put_head(out, (struct part){own.bytes + own.length - after, after}, AFTER, false);
}
