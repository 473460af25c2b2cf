/* SPDX-License-Identifier: MIT */
#include "report_diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"
#include "plan.h"
#include "report_causes.h"
#include "trace_diff.h"

#define KEPT_MAX 1048576 /**< bytes; of the first stage that differs all is kept */

int report_diff_open(struct report_diff *r, const char *folder)
{
    r->page.tool = "diff";
    r->page.stages = r->stages;
    return folder ? report_open(&r->page, folder) : 0;
}

static bool has_differed(const struct report_diff *r)
{
    for (unsigned k = 0; k < r->page.count; k++)
        if (r->stages[k].differs)
            return true;
    return false;
}

void report_diff_take(struct report_diff *r, const char *name, struct artifact sides[2],
                      const struct comparison *how, enum level level)
{
    bool first = !has_differed(r);
    bool small = sides[0].length <= KEPT_MAX && sides[1].length <= KEPT_MAX;
    if (!r->page.path || r->page.count == REPORT_DIFF_STAGES)
        return;
    unsigned k = r->page.count++;
    r->stages[k] = (struct report_stage){
        .name = name, .differs = how->level > level, .leads = true, .how = *how};
    for (unsigned side = 0; side < 2; side++) {
        r->kept[k][side] = sides[side];
        if (r->stages[k].differs && (first || small)) {
            r->stages[k].sides[side] = &r->kept[k][side];
            sides[side] = (struct artifact){0};
        } else {
            r->kept[k][side].bytes = NULL;
        }
    }
}

static void add_row(struct report_diff *r, unsigned side)
{
    struct report_cell cells[REPORT_DIFF_STAGES];
    bool bad = false;
    for (unsigned k = 0; k < r->page.count; k++) {
        bool differs = side != 0 && r->stages[k].differs;
        cells[k] = (struct report_cell){.missing = r->kept[k][side].missing,
                                        .differs = differs,
                                        .first = differs && k == r->page.first,
                                        .sized = true,
                                        .length = r->kept[k][side].length};
        bad = bad || differs;
    }
    AUTO_FREE char *name = report_text("%s", r->page.names[side]);
    struct report_row row = {.name = name, .reference = side == 0, .bad = bad, .cells = cells};
    if (name)
        report_add_row(&r->page, &row);
}

static char *sentence_of(const struct report *page, const char *level)
{
    if (page->count == 0)
        return report_text("There is nothing to compare.");
    if (page->first == page->count)
        return report_text("Both are the same, compared at level %s.", level);
    if (page->count == 1)
        return report_text("The two files differ.");
    return report_text("%s is the first of %u stages that differs.", page->stages[page->first].name,
                       page->count);
}

/* As it was called, with the folder in which that was. */
static char *again(const char *words)
{
    AUTO_FREE char *folder = getcwd(NULL, 0);
    char *const place[] = {folder, NULL};
    AUTO_FREE char *quoted = plan_quote(place);
    return report_text("cd %s\ndetrun diff %s\n", quoted ? quoted : "", words ? words : "");
}

int report_diff_close(struct report_diff *r, const char *const names[2], enum level level,
                      const char *words)
{
    struct report *page = &r->page;
    if (!page->path)
        return 0;
    while (page->first < page->count && !r->stages[page->first].differs)
        page->first++;
    page->verdict = page->count == 0             ? "inconclusive"
                    : page->first == page->count ? "same"
                                                 : "diverged";
    page->sentence = sentence_of(page, level_names[level]);
    page->again = again(words);
    for (unsigned side = 0; side < 2; side++) {
        page->names[side] = names[side];
        add_row(r, side);
    }
    if (page->first < page->count)
        report_explain_kind(page);
    report_add_setting(page, "compared at level", level_names[level]);
    return report_close(page);
}

int report_diff_traces(struct report_diff *r, const struct trace_comparison *c, int status,
                       const char *words)
{
    static const char *const verdicts[] = {"same", "diverged", "", "inconclusive"};
    struct report *page = &r->page;
    if (!page->path)
        return 0;
    page->verdict = verdicts[status];
    page->trace = c;
    page->again = again(words);
    page->sentence = status == 1 ? report_text("Two traces part. Likely cause: %s.", trace_cause(c))
                                 : report_text("Two traces, %" PRIu64 " events.", c->events);
    return report_close(page);
}
