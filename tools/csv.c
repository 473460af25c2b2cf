/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    struct csv *csv;
    const char *at;
    const char *end;
    char *field; /**< as long as the text */
    bool good;
};

static bool add_field(struct csv_row *row, const char *text, size_t length)
{
    char **fields = reallocarray(row->fields, row->count + 1, sizeof(*fields));
    if (!fields)
        return false;
    row->fields = fields;
    fields[row->count] = strndup(text, length);
    return fields[row->count++] != NULL;
}

static struct csv_row *add_row(struct csv *csv)
{
    struct csv_row *rows = reallocarray(csv->rows, csv->count + 1, sizeof(*rows));
    if (!rows)
        return NULL;
    csv->rows = rows;
    rows[csv->count] = (struct csv_row){0};
    return &rows[csv->count++];
}

/* Two quotes in it stand for one. */
static size_t take_quoted(struct parser *p)
{
    size_t n = 0;
    for (p->at++; p->at < p->end; p->at++) {
        if (*p->at == '"' && p->at + 1 < p->end && p->at[1] == '"')
            p->at++;
        else if (*p->at == '"') {
            p->at++;
            return n;
        }
        p->field[n++] = *p->at;
    }
    p->good = false;
    return n;
}

static bool ends_field(const struct parser *p)
{
    return *p->at == ',' || *p->at == '\n' ||
           (*p->at == '\r' && p->at + 1 < p->end && p->at[1] == '\n');
}

/* @param n  what stands before it: behind a closing quote there should be nothing more */
static size_t take_plain(struct parser *p, size_t n)
{
    for (; p->at < p->end && !ends_field(p); p->at++)
        p->field[n++] = *p->at;
    return n;
}

static void take_row(struct parser *p)
{
    struct csv_row *row = add_row(p->csv);
    bool more = row != NULL;
    p->good = p->good && row;
    while (more && p->good) {
        size_t n = p->at < p->end && *p->at == '"' ? take_quoted(p) : 0;
        p->good = p->good && add_field(row, p->field, take_plain(p, n));
        more = p->at < p->end && *p->at == ',';
        p->at += more;
    }
    if (p->at < p->end && *p->at == '\r')
        p->at++;
    if (p->at < p->end && *p->at == '\n')
        p->at++;
}

bool csv_parse(struct csv *csv, const char *text, size_t length)
{
    struct parser p = {.csv = csv, .at = text, .end = text + length, .good = true};
    *csv = (struct csv){0};
    p.field = malloc(length + 1);
    p.good = p.field != NULL;
    while (p.good && p.at < p.end)
        take_row(&p);
    free(p.field);
    if (!p.good)
        csv_free(csv);
    return p.good;
}

void csv_free(struct csv *csv)
{
    for (size_t i = 0; i < csv->count; i++) {
        for (size_t k = 0; k < csv->rows[i].count; k++)
            free(csv->rows[i].fields[k]);
        free(csv->rows[i].fields);
    }
    free(csv->rows);
    *csv = (struct csv){0};
}
