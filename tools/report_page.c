/* SPDX-License-Identifier: MIT */
/*
 * The page, from its verdict to its details. No scripts, nothing from elsewhere, and a policy that
 * forbids both.
 */
#include <inttypes.h>
#include <string.h>

#include "coverage.h"
#include "report.h"
#include "report_html.h"
#include "report_sides.h"
#include "report_trace.h"

#define COLUMNS 12 /**< all of them are shown up to so many */

static void put_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_put(out, text ? text : "");
    fprintf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void put_head(FILE *out, const struct report *r)
{
    fputs("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
          "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src "
          "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=color-scheme content=\"light dark\">\n",
          out);
    fprintf(out, "<title>%s: detrun %s</title>\n<style>\n", r->verdict, r->tool);
    for (const char *const *line = report_style; *line; line++)
        fprintf(out, "%s\n", *line);
    fputs("</style>\n", out);
}

static void put_header(FILE *out, const struct report *r)
{
    fprintf(out, "<header class=%s>\n<p class=tool>detrun %s\n<h1>%s</h1>\n<p class=lead>",
            r->verdict, r->tool, r->verdict);
    html_put(out, r->sentence ? r->sentence : "");
    fputs("</p>\n</header>\n<main>\n", out);
}

static void put_kind(FILE *out, const struct report_stage *s)
{
    const struct comparison *how = &s->how;
    fputs("<p class=kind>Kind of difference: ", out);
    put_element(out, "b", how->kind);
    if (how->where[0]) {
        fputs(", at ", out);
        put_element(out, "b", how->where);
    }
    fprintf(out, " <span>(first at byte %zu, line %zu; compared as %s)</span></p>\n",
            how->first.offset, how->first.line, format_names[how->format]);
}

static void put_stage(FILE *out, const struct report *r, const struct report_stage *s)
{
    if (s->sides[0] && s->sides[1])
        report_put_sides(out, s->sides[0], s->sides[1], &s->how, r->names);
    else
        fputs("<p class=note>What the first run wrote was not kept; detrun verify shows both "
              "sides.</p>\n",
              out);
}

static void put_causes(FILE *out, const struct report *r)
{
    if (r->causes_count == 0)
        return;
    fputs("<h3>Where it comes from</h3>\n<ol id=causes>\n", out);
    for (unsigned i = 0; i < r->causes_count; i++)
        put_element(out, "li", r->causes[i]);
    fputs("\n</ol>\n<h3>Both sides</h3>\n", out);
}

/* What comes before the first difference, and makes it. */
static const struct report_stage *innocent(const struct report *r)
{
    unsigned k = r->first;
    while (k > 0 && r->stages[k - 1].hidden)
        k--;
    return k > 0 && r->stages[k - 1].leads ? &r->stages[k - 1] : NULL;
}

static void put_first(FILE *out, const struct report *r)
{
    const struct report_stage *s = &r->stages[r->first];
    if (r->first == r->count)
        return;
    fputs("<section id=first>\n<h2>First difference: ", out);
    put_element(out, "code", s->name);
    fputs("</h2>\n", out);
    put_kind(out, s);
    const struct report_stage *before = innocent(r);
    if (before) {
        fputs("<p>", out);
        put_element(out, "code", before->name);
        fputs(" comes before it and is the same: it is not to blame.</p>\n", out);
    }
    put_causes(out, r);
    put_stage(out, r, s);
    fputs("</section>\n", out);
}

static void put_duration(FILE *out, uint64_t ns)
{
    if (ns < 1000000000)
        fprintf(out, "<td class=number>%.0f ms", (double)ns / 1e6);
    else
        fprintf(out, "<td class=number>%.2f s", (double)ns / 1e9);
}

/** Which of the columns that not all reports have are there. */
struct columns {
    bool end;
    bool seed;
    bool answers;
};

static struct columns columns_of(const struct report *r)
{
    struct columns c = {0};
    for (size_t i = 0; i < r->rows_count; i++) {
        c.end = c.end || r->rows[i].end;
        c.seed = c.seed || r->rows[i].seed;
        c.answers = c.answers || r->rows[i].answers;
    }
    return c;
}

/* Signs beside the words and the colours: a page may be printed, or be read by a machine. */
static const struct sign {
    const char *class;
    const char *text;
} signs[] = {{"first", "&#9670; first difference"},
             {"differs", "&#8800; differs"},
             {"reference", "reference"},
             {"plain", ""},
             {"same", "&#10003; same"}};

/* Of many columns those that are the same everywhere say nothing. */
static bool is_shown(const struct report *r, unsigned stage)
{
    if (r->stages[stage].hidden)
        return false;
    return r->count <= COLUMNS || r->stages[stage].differs || stage == 0;
}

static unsigned count_hidden(const struct report *r)
{
    unsigned n = 0;
    for (unsigned k = 0; k < r->count; k++)
        n += !is_shown(r, k) && !r->stages[k].hidden;
    return n;
}

static void put_cell(FILE *out, const struct report_row *row, const struct report_cell *cell)
{
    const struct sign *s = &signs[cell->first      ? 0
                                  : cell->differs  ? 1
                                  : cell->plain    ? 3
                                  : row->reference ? 2
                                                   : 4];
    fprintf(out, "<td class=%s>%s <small>", s->class, s->text);
    if (cell->missing)
        fputs("not there", out);
    else if (cell->sized)
        html_put_count(out, cell->length, "byte", "bytes");
    fputs("</small>", out);
}

static void put_row(FILE *out, const struct report *r, const struct report_row *row,
                    struct columns c)
{
    fprintf(out, "<tr%s><th scope=row>", row->bad ? " class=bad" : "");
    html_put(out, row->name);
    if (c.end) {
        put_element(out, "td", row->end);
        put_duration(out, row->duration_ns);
    }
    if (c.seed)
        put_element(out, "td class=number", row->seed);
    if (c.answers)
        put_element(out, "td", row->answers);
    for (unsigned k = 0; k < r->count; k++)
        if (is_shown(r, k))
            put_cell(out, row, &row->cells[k]);
    fputs("\n", out);
}

static void put_rows(FILE *out, const struct report *r)
{
    struct columns c = columns_of(r);
    if (r->rows_count == 0)
        return;
    fputs("<section id=runs>\n<h2>", out);
    fputs(c.end ? "All runs" : "All stages", out);
    fputs("</h2>\n<div class=scroll><table class=runs>\n<thead><tr><th scope=col>", out);
    fputs(c.end ? "run" : "side", out);
    if (c.end)
        fputs("<th scope=col>how it ended<th scope=col class=number>time", out);
    fputs(c.seed ? "<th scope=col class=number>seed" : "", out);
    fputs(c.answers ? "<th scope=col>what it asked for" : "", out);
    for (unsigned k = 0; k < r->count; k++)
        if (is_shown(r, k))
            put_element(out, "th scope=col", r->stages[k].name);
    fputs("\n<tbody>\n", out);
    for (size_t i = 0; i < r->rows_count; i++)
        put_row(out, r, &r->rows[i], c);
    fputs("</table></div>\n", out);
    if (count_hidden(r) > 0)
        fprintf(out, "<p class=note>%u more columns are the same everywhere.</p>\n",
                count_hidden(r));
    if (r->rows_left_out > 0)
        fprintf(out, "<p class=note>%" PRIu64 " more runs are not shown.</p>\n", r->rows_left_out);
    fputs("</section>\n", out);
}

/* All but one closed: they follow from the first one, as a rule. */
static void put_others(FILE *out, const struct report *r)
{
    bool begun = false;
    for (unsigned k = 0; k < r->count; k++) {
        if (k == r->first || !r->stages[k].differs)
            continue;
        if (!begun)
            fputs("<section id=others>\n<h2>What differs as well</h2>\n", out);
        fprintf(out, "<details%s><summary>", begun ? "" : " open");
        begun = true;
        put_element(out, "code", r->stages[k].name);
        fputs(": ", out);
        html_put(out, r->stages[k].how.kind);
        fputs("</summary>\n", out);
        put_kind(out, &r->stages[k]);
        put_stage(out, r, &r->stages[k]);
        fputs("</details>\n", out);
    }
    if (begun)
        fputs("</section>\n", out);
}

static void put_trace(FILE *out, const struct report *r)
{
    if (r->trace)
        report_put_trace(out, r->trace);
}

static void put_answers(FILE *out, const struct report *r)
{
    if (!r->coverage[0] || !r->coverage[1])
        return;
    fputs("<section id=answers>\n<h2>What the program asked for</h2>\n<div class=\"scroll "
          "fit\"><table "
          "class=answers>\n<thead><tr><th scope=col>source<th scope=col>",
          out);
    html_put(out, r->names[0]);
    fputs("<th scope=col>", out);
    html_put(out, r->names[1]);
    fputs("<th scope=col>answered by\n<tbody>\n", out);
    for (size_t i = 0; i < DETRUN_SOURCES; i++) {
        int64_t n[2] = {coverage_answers(r->coverage[0], i), coverage_answers(r->coverage[1], i)};
        bool real = (r->real >> i & 1) != 0;
        if (n[0] == 0 && n[1] == 0)
            continue;
        fprintf(out,
                "<tr%s><th scope=row>%s%s<td class=number>%" PRId64 "<td class=number>%" PRId64,
                n[0] != n[1] ? " class=bad" : "", coverage_sources[i],
                n[0] != n[1] ? " &#8800;" : "", n[0], n[1]);
        fputs(real ? "<td class=differs>the machine (--real)\n" : "<td>detrun, from the seed\n",
              out);
    }
    fputs("</table></div>\n</section>\n", out);
}

static void put_settings(FILE *out, const struct report *r)
{
    size_t i;
    const json_t *setting;
    if (!r->settings)
        return;
    fputs("<section id=settings>\n<h2>Settings</h2>\n<dl>\n", out);
    json_array_foreach(r->settings, i, setting)
    {
        put_element(out, "dt", json_string_value(json_array_get(setting, 0)));
        put_element(out, "dd", json_string_value(json_array_get(setting, 1)));
        fputs("\n", out);
    }
    fputs("</dl>\n</section>\n", out);
}

static void put_again(FILE *out, const struct report *r)
{
    if (!r->again)
        return;
    fputs("<section id=again>\n<h2>To have it again</h2>\n<pre>", out);
    html_put(out, r->again);
    fputs("</pre>\n</section>\n", out);
}

void report_put_page(FILE *out, const struct report *r)
{
    static void (*const parts[])(FILE * out, const struct report *r) = {
        put_head,   put_header,  put_first,    put_rows, put_trace,
        put_others, put_answers, put_settings, put_again};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        parts[i](out, r);
    fputs("</main>\n</html>\n", out);
}
