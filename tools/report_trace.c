/* SPDX-License-Identifier: MIT */
#include "report_trace.h"

#include <inttypes.h>

#include "report_html.h"
#include "report_strip.h"

#define WINDOW (TRACE_BEFORE + 1)
#define TASKS  16 /**< that have a line of their own */

static void put_task(FILE *out, const struct trace_task *task)
{
    fputs("task ", out);
    html_put(out, task->place);
    fputs(" (", out);
    html_put(out, task->command);
    fputc(')', out);
}

static void put_summary(FILE *out, const struct trace_comparison *c)
{
    const struct trace_window *w = c->first.a.task ? &c->first.a : &c->first.b;
    const char *source = trace_source(c);
    fputs("<p class=kind>The first that says something: <b>", out);
    put_task(out, w->task);
    fprintf(out, ": %s%s%s</b> <span>(%zu of %zu tasks differ; ", trace_change_name(c),
            *source ? " of " : "", source, c->differing, c->tasks);
    html_put_count(out, c->events, "event", "events");
    fputs(" compared, without waits and other timing)</span></p>\n", out);
}

/* How many rows the window has, with one for an event that is missing. */
static unsigned length_of(const struct trace_window *w)
{
    uint64_t kept = w->taken < WINDOW ? w->taken : WINDOW;
    if (w->there)
        return (unsigned)kept;
    return (unsigned)(kept == WINDOW ? WINDOW : kept + 1);
}

/* The row that is so many before the last, on one side. */
static void put_side(FILE *out, const struct trace_window *w, unsigned before_last)
{
    char words[TRACE_WORDS];
    unsigned length = length_of(w);
    if (before_last >= length) {
        fputs("<td class=n><td class=none>", out);
        return;
    }
    if (before_last == 0 && !w->there) {
        fprintf(out, "<td class=n><td class=alone>%s",
                w->task ? "nothing more" : "there is no such task");
        return;
    }
    /* The last row is the event that differs, or stands for the one that is missing. */
    uint64_t index = w->taken - before_last - (w->there ? 1 : 0);
    const struct trace_item *item = &w->items[index % WINDOW];
    trace_words(words, w->reader, item);
    fprintf(out, "<td class=n>%" PRIu64 "<td%s>", item->number,
            before_last == 0 ? " class=changed" : "");
    html_put(out, words);
}

static void put_windows(FILE *out, const struct trace_difference *d)
{
    unsigned a = length_of(&d->a);
    unsigned b = length_of(&d->b);
    fputs("<div class=scroll><table class=\"sides events\"><colgroup><col class=n><col><col "
          "class=sign><col class=n><col></colgroup>\n<thead><tr><th colspan=2 scope=colgroup>",
          out);
    html_put(out, d->a.reader->path);
    fputs("<th class=sign><th colspan=2 scope=colgroup>", out);
    html_put(out, d->b.reader->path);
    fputs("<tbody>\n", out);
    for (unsigned left = a > b ? a : b; left-- > 0;) {
        fputs("<tr>", out);
        put_side(out, &d->a, left);
        fprintf(out, "<td class=sign>%s", left == 0 ? "&#8800;" : "");
        put_side(out, &d->b, left);
        fputs("\n", out);
    }
    fputs("</table></div>\n", out);
}

static const struct trace_task *find(const struct trace_reader *r, uint64_t id)
{
    for (size_t i = 0; i < r->task_count; i++)
        if (r->tasks[i].id == id)
            return &r->tasks[i];
    return NULL;
}

/* The event that differs, if it is one of this task. */
static uint64_t place_in(const struct trace_window *w, const struct trace_task *task)
{
    if (w->task != task || w->taken == 0)
        return STRIP_NOWHERE;
    return w->items[(w->taken - 1) % WINDOW].number;
}

static void put_line(FILE *out, const struct trace_difference *d, const struct trace_task *a,
                     const struct trace_task *b)
{
    struct strip strips[2] = {{0}};
    const struct trace_task *either = a ? a : b;
    bool here = a ? d->a.task == a : d->b.task == b;
    if (!either)
        return;
    strip_fill(&strips[0], d->a.reader, a);
    strip_fill(&strips[1], d->b.reader, b);
    strip_level(&strips[0], &strips[1]);
    fprintf(out, "<tr%s><th scope=row>", here ? " class=bad" : "");
    put_task(out, either);
    fputs(here ? " &#9670;" : "", out);
    for (unsigned side = 0; side < 2; side++) {
        const struct trace_task *task = side ? b : a;
        fputs("<td>", out);
        if (task)
            strip_put(out, &strips[side], place_in(side ? &d->b : &d->a, task));
        else
            fputs("no such task", out);
        fputs("<small>", out);
        html_put_count(out, strips[side].events, "event", "events");
        fputs("</small>", out);
    }
    fputs("\n", out);
}

static bool is_of(const struct trace_window *w, const struct trace_task *task)
{
    return w->task && w->task == task;
}

static void put_lines(FILE *out, const struct trace_difference *d)
{
    const struct trace_reader *a = d->a.reader;
    const struct trace_reader *b = d->b.reader;
    size_t lines = 0;
    fputs("<h3>Time line</h3>\n<p class=note>Events by task, from left to right as they came. Each "
          "kind has a line of its own, from above: ",
          out);
    strip_put_legend(out);
    fputs(". &#9670; is where the runs part.</p>\n<div class=scroll><table class=lines>\n"
          "<thead><tr><th scope=col>task<th scope=col>",
          out);
    html_put(out, a->path);
    fputs("<th scope=col>", out);
    html_put(out, b->path);
    fputs("\n<tbody>\n", out);
    for (size_t i = 0; i < a->task_count; i++)
        if (lines < TASKS - 1 || is_of(&d->a, &a->tasks[i])) {
            put_line(out, d, &a->tasks[i], find(b, a->tasks[i].id));
            lines++;
        }
    for (size_t i = 0; i < b->task_count; i++)
        if (!find(a, b->tasks[i].id) && (lines < TASKS - 1 || is_of(&d->b, &b->tasks[i]))) {
            put_line(out, d, NULL, &b->tasks[i]);
            lines++;
        }
    fputs("</table></div>\n", out);
    if (a->task_count > lines) {
        fputs("<p class=note>", out);
        html_put_count(out, a->task_count - lines, "more task is", "more tasks are");
        fputs(" not shown.</p>\n", out);
    }
}

void report_put_trace(FILE *out, const struct trace_comparison *c)
{
    fputs("<section id=trace>\n<h2>Where the answers part</h2>\n", out);
    if (c->differing == 0) {
        fputs("<p>All events are the same.</p>\n</section>\n", out);
        return;
    }
    put_summary(out, c);
    put_windows(out, &c->first);
    put_lines(out, &c->first);
    fputs("</section>\n", out);
}
