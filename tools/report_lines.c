/* SPDX-License-Identifier: MIT */
#include "report_lines.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LINES   1000 /**< of one side that are looked at */
#define CONTEXT 3

/* Where the line begins that is so many lines before the one with that byte. */
static size_t find_start(const struct artifact *a, size_t offset)
{
    size_t at = offset < a->length ? offset : a->length;
    for (unsigned left = CONTEXT + 1; at > 0; at--)
        if (a->bytes[at - 1] == '\n' && --left == 0)
            break;
    return at;
}

static size_t count_newlines(const struct artifact *a, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += a->bytes[i] == '\n';
    return n;
}

static int take_lines(struct line_side *side, const struct artifact *a, size_t at, size_t number)
{
    side->lines = calloc(LINES, sizeof(*side->lines));
    if (!side->lines)
        return -ENOMEM;
    while (at < a->length && side->count < LINES) {
        const char *start = a->bytes + at;
        const char *end = memchr(start, '\n', a->length - at);
        size_t length = end ? (size_t)(end - start) : a->length - at;
        side->lines[side->count++] = (struct line){start, length, number++, end != NULL};
        at += length + (end != NULL);
    }
    side->behind = a->length - at;
    return 0;
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->length == b->length && a->ended == b->ended &&
           (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

/* lengths[i * (m + 1) + k]: how long the longest common sequence of lines from i and k on is. */
static uint16_t *measure(const struct line_side *a, const struct line_side *b)
{
    size_t m = b->count + 1;
    uint16_t *lengths = calloc((a->count + 1) * m, sizeof(*lengths));
    for (size_t i = a->count; lengths && i-- > 0;)
        for (size_t k = b->count; k-- > 0;) {
            uint16_t down = lengths[(i + 1) * m + k];
            uint16_t right = lengths[i * m + k + 1];
            uint16_t both = (uint16_t)(lengths[(i + 1) * m + k + 1] + 1);
            lengths[i * m + k] = is_same(&a->lines[i], &b->lines[k]) ? both
                                 : down > right                      ? down
                                                                     : right;
        }
    return lengths;
}

/* Lines of both sides that are in no common sequence stand beside each other as they come. */
static void add_changed(struct lines *l, int a, int a_end, int b, int b_end)
{
    while (a < a_end || b < b_end) {
        l->pairs[l->count++] = (struct line_pair){a < a_end ? a : -1, b < b_end ? b : -1, false};
        a += a < a_end;
        b += b < b_end;
    }
}

static void pair(struct lines *l, const uint16_t *lengths)
{
    const struct line_side *x = &l->sides[0];
    const struct line_side *y = &l->sides[1];
    size_t m = y->count + 1;
    size_t i = 0;
    size_t k = 0;
    size_t a = 0;
    size_t b = 0;
    while (i < x->count && k < y->count) {
        if (is_same(&x->lines[i], &y->lines[k])) {
            add_changed(l, (int)a, (int)i, (int)b, (int)k);
            l->pairs[l->count++] = (struct line_pair){(int)i, (int)k, true};
            a = ++i;
            b = ++k;
        } else if (lengths[(i + 1) * m + k] >= lengths[i * m + k + 1]) {
            i++;
        } else {
            k++;
        }
    }
    add_changed(l, (int)a, (int)x->count, (int)b, (int)y->count);
}

int lines_pair(struct lines *l)
{
    uint16_t *lengths = measure(&l->sides[0], &l->sides[1]);
    l->pairs = calloc(l->sides[0].count + l->sides[1].count + 1, sizeof(*l->pairs));
    int error = lengths && l->pairs ? 0 : -ENOMEM;
    if (!error)
        pair(l, lengths);
    free(lengths);
    return error;
}

int lines_align(struct lines *l, const struct artifact *const both[2], size_t offset)
{
    size_t start = find_start(both[0], offset);
    size_t number = count_newlines(both[0], start) + 1;
    *l = (struct lines){0};
    int error = take_lines(&l->sides[0], both[0], start, number);
    if (!error)
        error = take_lines(&l->sides[1], both[1], start, number);
    if (!error)
        error = lines_pair(l);
    if (error)
        lines_free(l);
    return error;
}

void lines_free(struct lines *l)
{
    for (unsigned k = 0; k < 2; k++)
        free(l->sides[k].lines);
    free(l->pairs);
    *l = (struct lines){0};
}
