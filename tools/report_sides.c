/* SPDX-License-Identifier: MIT */
#include "report_sides.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report_html.h"
#include "report_lines.h"
#include "report_words.h"

#define CONTEXT     3   /**< equal lines shown around those that differ */
#define ROWS        160 /**< shown at most */
#define HEX_ROWS    12
#define HEX_WIDTH   16
#define HEX_BEFORE  32  /**< bytes shown before the first that differs, at least */
#define ALONE_SHOWN 600 /**< bytes of a line that only one side has */
#define LINE_SHOWN  400 /**< and of one that both have */

static struct part part_of(const struct line *l)
{
    return l ? (struct part){l->bytes, l->length} : (struct part){"", 0};
}

/* One side of a row: its number and its text. */
static void put_side(FILE *out, const struct line *own, const struct line *other, bool same)
{
    static const char *const classes[] = {"", " class=changed", " class=alone", " class=none"};
    const char *class = classes[!own ? 3 : same ? 0 : other ? 1 : 2];
    if (own)
        fprintf(out, "<td class=n>%zu<td%s>", own->number, class);
    else
        fprintf(out, "<td class=n><td%s>", class);
    if (own && same)
        words_put_head(out, part_of(own), LINE_SHOWN, false);
    else if (own && other)
        words_put_changed(out, part_of(own), part_of(other));
    else if (own)
        words_put_head(out, part_of(own), ALONE_SHOWN, false);
    if (own && !own->ended && (!other || other->ended))
        fputs("<mark class=end>no newline at the end</mark>", out);
}

static void put_row(FILE *out, const struct lines *l, const struct line_pair *p)
{
    const struct line *a = p->a < 0 ? NULL : &l->sides[0].lines[p->a];
    const struct line *b = p->b < 0 ? NULL : &l->sides[1].lines[p->b];
    const char *sign = p->same ? "" : !a ? "+" : !b ? "&#8722;" : "&#8800;";
    fputs("<tr>", out);
    put_side(out, a, b, p->same);
    fprintf(out, "<td class=sign>%s", sign);
    put_side(out, b, a, p->same);
    fputs("\n", out);
}

static bool is_near_change(const struct lines *l, size_t at)
{
    size_t first = at < CONTEXT ? 0 : at - CONTEXT;
    for (size_t i = first; i <= at + CONTEXT && i < l->count; i++)
        if (!l->pairs[i].same)
            return true;
    return false;
}

static void put_gap(FILE *out, size_t n)
{
    fputs("<tr class=gap><td colspan=5>", out);
    html_put_count(out, n, "line", "lines");
    fputs(" the same on both sides\n", out);
}

/* @return how many pairs of lines were dealt with */
static size_t put_rows(FILE *out, const struct lines *l)
{
    size_t shown = 0;
    size_t gap = 0;
    size_t i = 0;
    for (; i < l->count && shown < ROWS; i++) {
        if (!is_near_change(l, i)) {
            gap++;
            continue;
        }
        if (gap > 0)
            put_gap(out, gap);
        gap = 0;
        put_row(out, l, &l->pairs[i]);
        shown++;
    }
    return i;
}

static void put_head_of_sides(FILE *out, const char *kind, const char *const names[2],
                              const struct artifact *const both[2])
{
    fprintf(out,
            "<div class=scroll><table class=\"sides %s\"><colgroup><col class=n><col><col "
            "class=sign><col class=n><col></colgroup>\n<thead><tr>",
            kind);
    for (unsigned k = 0; k < 2; k++) {
        fprintf(out, "%s<th colspan=2 scope=colgroup>", k ? "<th class=sign>" : "");
        html_put(out, names[k]);
        fputs(" <small>", out);
        html_put_count(out, both[k]->length, "byte", "bytes");
        fputs("</small>", out);
    }
    fputs("<tbody>\n", out);
}

static size_t bytes_behind(const struct lines *l, unsigned side, size_t pairs)
{
    size_t n = l->sides[side].behind;
    for (size_t i = pairs; i < l->count; i++) {
        int at = side ? l->pairs[i].b : l->pairs[i].a;
        n += at < 0 ? 0 : l->sides[side].lines[at].length + 1;
    }
    return n;
}

static void put_text(FILE *out, const struct artifact *const both[2], size_t from,
                     const char *const names[2])
{
    struct lines l;
    if (lines_align(&l, both, from) != 0) {
        fputs("<p>There was no memory to show the two sides.</p>\n", out);
        return;
    }
    put_head_of_sides(out, "text", names, both);
    size_t done = put_rows(out, &l);
    fputs("</table></div>\n", out);
    size_t left[2] = {bytes_behind(&l, 0, done), bytes_behind(&l, 1, done)};
    if (left[0] > 0 || left[1] > 0) {
        fputs("<p class=note>Cut here: ", out);
        html_put_count(out, left[0], "byte", "bytes");
        fputs(" further on the left, ", out);
        html_put_count(out, left[1], "byte", "bytes");
        fputs(" on the right.</p>\n", out);
    }
    lines_free(&l);
}

static bool differs_at(const struct artifact *const both[2], size_t at)
{
    return at >= both[0]->length || at >= both[1]->length ||
           both[0]->bytes[at] != both[1]->bytes[at];
}

/* Bytes of one side as numbers or as characters. */
static void put_hex_bytes(FILE *out, const struct artifact *const both[2], unsigned side, size_t at,
                          bool characters)
{
    const struct artifact *own = both[side];
    for (size_t i = at; i < at + HEX_WIDTH && i < own->length; i++) {
        unsigned char c = (unsigned char)own->bytes[i];
        bool marked = differs_at(both, i);
        fputs(marked ? "<mark>" : "", out);
        if (!characters)
            fprintf(out, "%02x", c);
        else
            html_put_bytes(out, c >= 0x20 && c < 0x7f ? own->bytes + i : ".", 1, false);
        fputs(marked ? "</mark>" : "", out);
        fputs(characters ? "" : i % 8 == 7 ? "  " : " ", out);
    }
}

static void put_binary(FILE *out, const struct artifact *const both[2], size_t offset,
                       const char *const names[2])
{
    size_t longest = both[0]->length > both[1]->length ? both[0]->length : both[1]->length;
    size_t at = offset / HEX_WIDTH * HEX_WIDTH;
    at -= at < HEX_BEFORE ? at : HEX_BEFORE;
    size_t end = at + (size_t)HEX_ROWS * HEX_WIDTH;
    put_head_of_sides(out, "hex", names, both);
    for (; at < end && at < longest; at += HEX_WIDTH) {
        fputs("<tr>", out);
        for (unsigned side = 0; side < 2; side++) {
            fprintf(out, "%s<td class=n>%zx<td>", side ? "<td class=sign>" : "", at);
            put_hex_bytes(out, both, side, at, false);
            fputs("<b>", out);
            put_hex_bytes(out, both, side, at, true);
            fputs("</b>", out);
        }
        fputs("\n", out);
    }
    fputs("</table></div>\n", out);
    if (at < longest) {
        fputs("<p class=note>Cut here: ", out);
        html_put_count(out, longest - at, "byte", "bytes");
        fputs(" follow.</p>\n", out);
    }
}

void report_put_sides(FILE *out, const struct artifact *a, const struct artifact *b,
                      const struct comparison *how, const char *const names[2])
{
    const struct artifact *const both[] = {a, b};
    if (a->missing || b->missing) {
        fputs("<p>", out);
        html_put(out, names[a->missing ? 0 : 1]);
        fputs(" left no such file; the other one has ", out);
        html_put_count(out, a->missing ? b->length : a->length, "byte", "bytes");
        fputs(".</p>\n", out);
        return;
    }
    if (how->format == FORMAT_BINARY)
        put_binary(out, both, how->first.offset, names);
    else
        put_text(out, both, how->first.offset, names);
}
