/* SPDX-License-Identifier: MIT */
#include "report_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cleanup.h"
#include "config.h"
#include "coverage.h"
#include "report_causes.h"

int report_runs_open(struct report_runs *r, const struct plan *p, const struct channels *c)
{
    if (!p->report)
        return 0;
    r->plan = p;
    r->channels = c;
    r->page.tool = p->name;
    r->page.stages = r->stages;
    r->page.count = r->page.first = channels_count(c);
    r->page.real = p->options.real;
    for (unsigned k = 0; k < r->page.count; k++)
        r->stages[k] = (struct report_stage){.name = channels_name(c, k), .leads = k <= c->files};
    return report_open(&r->page, p->report);
}

static char *name_of(const struct report_runs *r, uint64_t number)
{
    if (r->lanes[0] && number <= 2)
        return report_text("%s", r->lanes[number - 1]);
    return report_text("run %" PRIu64, number);
}

static char *end_of(const struct iteration *i)
{
    static const char *const words[] = {"passed", "failed", "error", "skipped"};
    if (i->signal)
        return report_text("%s, signal %d (%s)", words[i->outcome], i->signal,
                           strsignal(i->signal));
    return report_text("%s, exit %d", words[i->outcome], i->status);
}

static void add_row(struct report_runs *r, const struct iteration *i)
{
    const struct channels *c = r->channels;
    struct report_cell cells[CHANNELS_MAX];
    bool bad = iteration_is_unsuccessful(i);
    for (unsigned k = 0; k < r->page.count; k++) {
        const struct channel *last = &c->last[k];
        cells[k] = (struct report_cell){.missing = last->missing,
                                        .differs = last->differs,
                                        .first = c->diverged == i->number && k == c->channel,
                                        .plain = c->only_end && k + 1 < r->page.count,
                                        .sized = k + 1 < r->page.count,
                                        .length = last->length};
        bad = bad || last->differs;
    }
    AUTO_FREE char *name = name_of(r, i->number);
    AUTO_FREE char *end = end_of(i);
    AUTO_FREE char *seed = i->seed.number == r->plan->options.seed.number
                               ? NULL
                               : report_text("%" PRIu64, i->seed.number);
    bool reference = c->runs == 1;
    bool same = strcmp(c->inputs, i->inputs) == 0;
    struct report_row row = {.name = name,
                             .end = end,
                             .seed = seed,
                             .answers = c->only_end ? NULL
                                        : reference ? ""
                                        : same      ? "the same"
                                                    : "not the same",
                             .duration_ns = i->duration_ns,
                             .reference = reference,
                             .bad = bad,
                             .cells = cells};
    if (name && end)
        report_add_row(&r->page, &row);
}

static void keep_coverage(json_t **place, const struct iteration *i)
{
    json_decref(*place);
    *place = coverage_read(i->records, NULL);
}

/* The pair is complete: later first runs, of other seeds, are none of it. */
static bool is_paired(const struct report_runs *r, const struct iteration *i)
{
    return r->channels->diverged != 0 && r->channels->diverged != i->number;
}

void report_runs_take(struct report_runs *r, const struct iteration *i)
{
    if (!r->page.path)
        return;
    add_row(r, i);
    if (is_paired(r, i))
        return;
    if (r->channels->runs == 1) {
        r->first = i->number;
        r->seed = i->seed;
        r->first_failed = iteration_is_unsuccessful(i);
        keep_coverage(&r->coverage[0], i);
    } else if (r->channels->diverged == i->number) {
        if (!r->first_failed)
            r->seed = i->seed;
        keep_coverage(&r->coverage[1], i);
    }
}

static void fill_pair(struct report_runs *r)
{
    const struct channels *c = r->channels;
    r->page.names[0] = name_of(r, r->first);
    r->page.names[1] = name_of(r, c->diverged);
    r->page.first = c->channel;
    r->page.coverage[0] = r->coverage[0];
    r->page.coverage[1] = r->coverage[1];
    for (unsigned k = 0; k < r->page.count; k++) {
        struct report_stage *s = &r->stages[k];
        s->sides[0] = &c->pair[0][k];
        s->sides[1] = &c->pair[1][k];
        compare(s->sides[0], s->sides[1], s->name, &s->how);
        s->differs = s->how.level > c->level;
    }
}

static void add_setting(const char *name, const char *text, void *page)
{
    report_add_setting(page, name, text);
}

/* The variables of the contract's snapshot that have a value: the others are nobody's business. */
static void add_variables(struct report *page)
{
    static const char *const names[] = {"COLORTERM", "LANG", "LC_ALL", "TERM", "TZ"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (getenv(names[i]))
            report_add_setting(page, names[i], getenv(names[i]));
}

static void add_machine(struct report *page)
{
    struct utsname name;
    AUTO_FREE char *text = NULL;
    if (uname(&name) == 0)
        text = report_text("%s %s, %s, %ld processors", name.sysname, name.release, name.machine,
                           sysconf(_SC_NPROCESSORS_ONLN));
    report_add_setting(page, "machine", text ? text : "");
}

static void add_settings(struct report_runs *r)
{
    const struct options *o = &r->plan->options;
    AUTO_FREE char *command = plan_quote(o->command);
    AUTO_FREE char *folder = getcwd(NULL, 0);
    struct report *page = &r->page;
    report_add_setting(page, "command", command ? command : "");
    report_add_setting(page, "folder", folder ? folder : "");
    report_add_setting(page, "compared at level", level_names[r->channels->level]);
    config_each_given(o, add_setting, page);
    report_add_setting(page, "seed comes from", seed_source_names[o->seed_source]);
    report_add_setting(page, "detrun", DETRUN_VERSION);
    add_machine(page);
    add_variables(page);
}

/* As it was called; the seed, where it was not given. One run alone, where all have one command. */
static char *again(const struct report_runs *r)
{
    const struct plan *p = r->plan;
    struct options one = p->options;
    char *text = NULL;
    size_t size = 0;
    AUTO_FREE char *folder = getcwd(NULL, 0);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("cd ", out);
    options_print_quoted(out, folder ? folder : "");
    fprintf(out, "\ndetrun %s ", p->name);
    if (p->options.seed_source != SEED_FROM_CLI)
        fprintf(out, "--seed=%" PRIu64 " ", p->options.seed.number);
    fprintf(out, "%s\n", p->given ? p->given : "");
    if (!r->lanes[0]) {
        one.seed = r->seed;
        fputs("\n# one run of it\n", out);
        config_print_repeat(out, &one, "detrun");
    }
    return fclose(out) == 0 ? text : NULL;
}

static char *sentence_of(const struct report_runs *r, const char *verdict, const char *text)
{
    const struct channels *c = r->channels;
    uint64_t rows = r->page.rows_count + r->page.rows_left_out;
    if (text && *text)
        return report_text("%s.", text);
    if (c->diverged != 0)
        return report_text("Of %" PRIu64 " runs, %s and %s part first in %s.", rows,
                           r->page.names[0], r->page.names[1], channels_name(c, c->channel));
    if (strcmp(verdict, "same") == 0)
        return report_text("%" PRIu64 " runs left the same.", rows);
    return report_text("%" PRIu64 " runs; %s.", rows,
                       channels_nothing(c) ? channels_nothing(c) : "see below how they ended");
}

int report_runs_close(struct report_runs *r, const char *verdict, const char *text)
{
    if (!r->page.path)
        return 0;
    if (r->channels->diverged != 0) {
        fill_pair(r);
        r->page.trace = r->channels->traces.kept ? &r->channels->traces.kept->comparison : NULL;
        if (r->channels->only_end)
            report_add_cause(&r->page, report_text("Each run has another seed, and what it was "
                                                   "answered differs: with some seeds it ends "
                                                   "otherwise."));
        else
            report_find_causes(&r->page, &r->plan->options, r->channels->other_inputs != 0);
    }
    r->stages[r->channels->files].hidden = !r->channels->staged;
    r->page.verdict = verdict;
    r->page.sentence = sentence_of(r, verdict, text);
    r->page.again = again(r);
    add_settings(r);
    return report_close(&r->page);
}
