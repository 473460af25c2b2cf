/* SPDX-License-Identifier: MIT */
/*
 * Text: lines, without what ends them.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bag.h"
#include "compare.h"

struct lines {
    const struct artifact *of;
    size_t at;
};

/* The next line, without its end and the blanks before that. @return false: there is none */
static bool next(struct lines *l, const char **line, size_t *length)
{
    if (l->at >= l->of->length)
        return false;
    *line = l->of->bytes + l->at;
    const char *end = memchr(*line, '\n', l->of->length - l->at);
    size_t whole = end ? (size_t)(end - *line) : l->of->length - l->at;
    l->at += whole + 1;
    while (whole > 0 && strchr(" \t\r", (*line)[whole - 1]))
        whole--;
    *length = whole;
    return true;
}

static bool same_without_case(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return false;
    return true;
}

/** How lines in the same places compare. */
struct line_by_line {
    bool same;
    bool same_without_case;
    size_t first; /**< the first that differs, from 1 */
};

static void compare_in_order(const struct artifact *a, const struct artifact *b,
                             struct line_by_line *r)
{
    struct lines one = {a, 0};
    struct lines two = {b, 0};
    const char *x;
    const char *y;
    size_t m;
    size_t n;
    *r = (struct line_by_line){.same = true, .same_without_case = true};
    for (size_t number = 1;; number++) {
        bool more = next(&one, &x, &m);
        if (next(&two, &y, &n) != more)
            r->same = r->same_without_case = false;
        else if (!more)
            return;
        else if (m != n || memcmp(x, y, n) != 0)
            r->same = false;
        if (!r->same && r->first == 0)
            r->first = number;
        if (more && (m != n || !same_without_case(x, y, n)))
            r->same_without_case = false;
        if (!r->same_without_case)
            return;
    }
}

static void gather(const struct artifact *a, struct bag *bag)
{
    struct lines lines = {a, 0};
    const char *line;
    size_t length;
    while (next(&lines, &line, &length))
        bag_add(bag, line, length);
}

static bool same_lines(const struct artifact *a, const struct artifact *b)
{
    struct bag one = {0};
    struct bag two = {0};
    gather(a, &one);
    gather(b, &two);
    bool same = bag_equal(&one, &two);
    bag_free(&one);
    bag_free(&two);
    return same;
}

void compare_text(const struct artifact *a, const struct artifact *b, struct comparison *c)
{
    struct line_by_line in_order;
    c->format = FORMAT_TEXT;
    compare_in_order(a, b, &in_order);
    compare_line_ends(a, b, c);
    if (in_order.same) {
        c->level = LEVEL_ORDER;
        if (c->kind[0] == '\0')
            compare_add_kind(c, "blanks at ends of lines");
        return;
    }
    c->level = same_lines(a, b) ? LEVEL_VALUES : LEVEL_NONE;
    if (c->level == LEVEL_VALUES)
        compare_add_kind(c, "order of lines");
    else
        compare_add_kind(c, in_order.same_without_case ? "letter case" : "values");
    snprintf(c->where, sizeof(c->where), "line %zu", in_order.first);
}
