/* SPDX-License-Identifier: MIT */
/*
 * Tables: the first row names the columns. Never sorted as text, because fields may hold newlines.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bag.h"
#include "compare.h"
#include "csv.h"

struct tables {
    struct comparison *c;
    struct csv a;
    struct csv b;
    size_t *column; /**< of a's in b */
    bool columns_moved;
    bool rows_moved;
    bool values;
    bool letter_case;
    bool null_or_empty;
    bool escaping;
};

static const char *field(const struct csv_row *row, size_t column)
{
    return column < row->count ? row->fields[column] : "";
}

/* @return false: b has other columns */
static bool map_columns(struct tables *t)
{
    const struct csv_row *one = &t->a.rows[0];
    const struct csv_row *two = &t->b.rows[0];
    t->column = calloc(one->count + 1, sizeof(*t->column));
    if (!t->column || one->count != two->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        size_t k = 0;
        while (k < two->count && strcmp(one->fields[i], two->fields[k]) != 0)
            k++;
        if (k == two->count)
            return false;
        t->column[i] = k;
        t->columns_moved = t->columns_moved || k != i;
    }
    return true;
}

/* Fields with their lengths before them: no text of one row is that of another. */
static void add_row(struct bag *bag, const struct csv_row *row, const size_t *column, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < n; i++) {
        const char *value = field(row, column ? column[i] : i);
        fprintf(out, "%zu:%s", strlen(value), value);
    }
    bag->failed = bag->failed || !out || fclose(out) != 0;
    if (!bag->failed)
        bag_add(bag, text, size);
    free(text);
}

static bool same_rows(const struct tables *t)
{
    struct bag one = {0};
    struct bag two = {0};
    size_t n = t->a.rows[0].count;
    for (size_t i = 1; i < t->a.count; i++)
        add_row(&one, &t->a.rows[i], NULL, n);
    for (size_t i = 1; i < t->b.count; i++)
        add_row(&two, &t->b.rows[i], t->column, n);
    bool same = bag_equal(&one, &two);
    bag_free(&one);
    bag_free(&two);
    return same;
}

static bool same_fields(const struct tables *t)
{
    struct bag one = {0};
    struct bag two = {0};
    for (size_t i = 0; i < t->a.count; i++)
        for (size_t k = 0; k < t->a.rows[i].count; k++)
            bag_add(&one, t->a.rows[i].fields[k], strlen(t->a.rows[i].fields[k]));
    for (size_t i = 0; i < t->b.count; i++)
        for (size_t k = 0; k < t->b.rows[i].count; k++)
            bag_add(&two, t->b.rows[i].fields[k], strlen(t->b.rows[i].fields[k]));
    bool same = bag_equal(&one, &two);
    bag_free(&one);
    bag_free(&two);
    return same;
}

static bool same_without_case(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

static bool is_empty(const char *value)
{
    return *value == '\0' || same_without_case(value, "null");
}

/* A quote before what a spreadsheet would take for a formula. */
static bool is_escaped(const char *value, const char *other)
{
    return value[0] == '\'' && value[1] && strchr("=+-@", value[1]) &&
           strcmp(value + 1, other) == 0;
}

static bool *kind_of(struct tables *t, const char *x, const char *y)
{
    if (is_empty(x) && is_empty(y))
        return &t->null_or_empty;
    if (is_escaped(x, y) || is_escaped(y, x))
        return &t->escaping;
    return same_without_case(x, y) ? &t->letter_case : &t->values;
}

static void compare_row(struct tables *t, size_t row)
{
    struct comparison *c = t->c;
    for (size_t i = 0; i < t->a.rows[0].count; i++) {
        const char *x = field(&t->a.rows[row], i);
        const char *y = field(&t->b.rows[row], t->column[i]);
        if (strcmp(x, y) == 0)
            continue;
        *kind_of(t, x, y) = true;
        if (c->where[0] == '\0')
            snprintf(c->where, sizeof(c->where), "row %zu, column \"%.100s\"", row,
                     t->a.rows[0].fields[i]);
    }
}

static bool in_order(const struct tables *t)
{
    bool same = t->a.count == t->b.count;
    for (size_t row = 1; same && row < t->a.count; row++)
        for (size_t i = 0; same && i < t->a.rows[0].count; i++)
            same = strcmp(field(&t->a.rows[row], i), field(&t->b.rows[row], t->column[i])) == 0;
    return same;
}

static void compare_rows(struct tables *t)
{
    if (in_order(t))
        return;
    t->rows_moved = same_rows(t);
    for (size_t row = 1; !t->rows_moved && row < t->a.count && row < t->b.count; row++)
        compare_row(t, row);
    if (!t->rows_moved && t->a.count != t->b.count) {
        t->values = true;
        if (t->c->where[0] == '\0')
            snprintf(t->c->where, sizeof(t->c->where), "%zu rows against %zu", t->a.count - 1,
                     t->b.count - 1);
    }
}

static void judge(struct tables *t, const struct artifact *a, const struct artifact *b)
{
    struct comparison *c = t->c;
    bool other = t->values || t->letter_case || t->null_or_empty || t->escaping;
    c->same_values = other && same_fields(t);
    if (c->same_values)
        compare_add_kind(c, "same values, other binding");
    else if (t->values)
        compare_add_kind(c, "values");
    if (t->letter_case && !c->same_values)
        compare_add_kind(c, "letter case");
    if (t->null_or_empty && !c->same_values)
        compare_add_kind(c, "null against empty string");
    if (t->escaping)
        compare_add_kind(c, "spreadsheet escaping");
    if (t->rows_moved)
        compare_add_kind(c, "order of rows");
    if (t->columns_moved)
        compare_add_kind(c, "column order");
    compare_line_ends(a, b, c);
    if (c->kind[0] == '\0')
        compare_add_kind(c, "quoting");
    c->level = other ? LEVEL_NONE : t->rows_moved || t->columns_moved ? LEVEL_VALUES : LEVEL_ORDER;
}

bool compare_csv(const struct artifact *a, const struct artifact *b, struct comparison *c)
{
    struct tables t = {.c = c};
    bool good = csv_parse(&t.a, a->bytes, a->length) && csv_parse(&t.b, b->bytes, b->length) &&
                t.a.count > 0 && t.b.count > 0 && map_columns(&t);
    if (good) {
        c->format = FORMAT_CSV;
        compare_rows(&t);
        judge(&t, a, b);
    }
    csv_free(&t.a);
    csv_free(&t.b);
    free(t.column);
    return good;
}
