/* SPDX-License-Identifier: MIT */
#include "report_strip.h"

#include <inttypes.h>

#include "trace_text.h"

#define LINE 3 /**< height of one kind's */

static const enum trace_kind lines[] = {TRACE_IMAGE,   TRACE_CLOCK, TRACE_BYTES, TRACE_CALL,
                                        TRACE_LISTING, TRACE_OPEN,  TRACE_WRITE, TRACE_EXIT};

#define LINES (sizeof(lines) / sizeof(lines[0]))

/* Twice as many events a cell: any number of them fits. */
static void widen(struct strip *s)
{
    for (size_t i = 0; i < STRIP_CELLS; i++) {
        uint16_t both = i < STRIP_CELLS / 2 ? s->kinds[2 * i] | s->kinds[2 * i + 1] : 0;
        s->kinds[i] = both;
    }
    s->width *= 2;
}

void strip_fill(struct strip *s, const struct trace_reader *r, const struct trace_task *task)
{
    static struct trace_cursor cursor;
    struct trace_item item;
    *s = (struct strip){.width = 1};
    if (!task)
        return;
    trace_cursor_begin(&cursor, r, task);
    while (trace_cursor_next(&cursor, &item)) {
        while (item.number / s->width >= STRIP_CELLS)
            widen(s);
        s->events++;
        s->kinds[item.number / s->width] |= (uint16_t)(1U << trace_kind_of(&item.event));
    }
}

void strip_level(struct strip *a, struct strip *b)
{
    while (a->width < b->width)
        widen(a);
    while (b->width < a->width)
        widen(b);
}

/* Neighbours of one kind are one rectangle. */
static void put_kind(FILE *out, const struct strip *s, size_t line)
{
    unsigned bit = 1U << lines[line];
    for (size_t i = 0; i < STRIP_CELLS; i++) {
        size_t first = i;
        while (i < STRIP_CELLS && (s->kinds[i] & bit) != 0)
            i++;
        if (i > first)
            fprintf(out, "<rect class=k%zu x=%zu y=%zu width=%zu height=%d></rect>", line, first,
                    line * LINE, i - first, LINE - 1);
    }
}

void strip_put(FILE *out, const struct strip *s, uint64_t mark)
{
    fprintf(out, "<svg class=strip viewBox=\"0 0 %d %zu\" preserveAspectRatio=none>", STRIP_CELLS,
            LINES * LINE);
    for (size_t line = 0; line < LINES; line++)
        put_kind(out, s, line);
    if (mark != STRIP_NOWHERE)
        fprintf(out, "<rect class=mark x=%" PRIu64 ".2 y=0 width=.6 height=%zu></rect>",
                mark / s->width, LINES * LINE);
    fputs("</svg>", out);
}

void strip_put_legend(FILE *out)
{
    for (size_t line = 0; line < LINES; line++)
        fprintf(out, "%s<span class=k%zu>%s</span>", line ? ", " : "", line,
                trace_kind_names[lines[line]]);
}
