/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <stdio.h>
#include <string.h>

const char *const level_names[] = {"bytes", "order", "values", "none"};
const char *const format_names[] = {"text", "json", "csv", "binary"};

void compare_add_kind(struct comparison *c, const char *kind)
{
    size_t used = strlen(c->kind);
    snprintf(c->kind + used, sizeof(c->kind) - used, "%s%s", used ? "; " : "", kind);
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name);
    size_t m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static bool is_text(const struct artifact *a)
{
    return a->length == 0 || memchr(a->bytes, '\0', a->length) == NULL;
}

static bool looks_like_json(const struct artifact *a)
{
    size_t at = 0;
    while (at < a->length && strchr(" \t\r\n", a->bytes[at]))
        at++;
    return at < a->length && strchr("{[", a->bytes[at]);
}

static bool has_crlf(const struct artifact *a)
{
    return a->length > 1 && memmem(a->bytes, a->length, "\r\n", 2) != NULL;
}

static bool ends_line(const struct artifact *a)
{
    return a->length > 0 && a->bytes[a->length - 1] == '\n';
}

void compare_line_ends(const struct artifact *a, const struct artifact *b, struct comparison *c)
{
    if (has_crlf(a) != has_crlf(b))
        compare_add_kind(c, "line endings");
    if (ends_line(a) != ends_line(b))
        compare_add_kind(c, "trailing newline");
}

static void compare_contents(const struct artifact *a, const struct artifact *b, const char *name,
                             struct comparison *c)
{
    if (!is_text(a) || !is_text(b))
        compare_binary(a, b, c);
    else if (looks_like_json(a) && looks_like_json(b) && compare_json(a, b, c))
        return;
    else if (!ends_in(name, ".csv") || !compare_csv(a, b, c))
        compare_text(a, b, c);
}

void compare(const struct artifact *a, const struct artifact *b, const char *name,
             struct comparison *c)
{
    *c = (struct comparison){.level = LEVEL_NONE};
    if (artifact_equal(a, b)) {
        c->level = LEVEL_BYTES;
        return;
    }
    artifact_difference(a, b, &c->first);
    if (a->missing || b->missing)
        compare_add_kind(c, a->missing ? "only in the second" : "only in the first");
    else
        compare_contents(a, b, name, c);
}
