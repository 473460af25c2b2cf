/* SPDX-License-Identifier: MIT */
/*
 * detrun shadow: the same inputs to two implementations. Seed, test name and settings are the same,
 * so a difference between baseline and candidate is one of the code.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "junit.h"
#include "message.h"
#include "record.h"
#include "reply.h"
#include "report_runs.h"
#include "runner.h"
#include "tools.h"
#include "verdict.h"
#include "watch.h"

static const char *const lanes[] = {"baseline", "candidate"};

struct shadow {
    struct plan plan;
    char **commands[2]; /**< by lane */
    struct channels channels;
    struct report_runs report;
};

static struct shadow *of(struct plan *p)
{
    return (struct shadow *)p;
}

static bool add_artifact(struct plan *p, const char *text)
{
    return channels_add_file(&of(p)->channels, text);
}

static bool set_level(struct plan *p, const char *text)
{
    return channels_set_level(&of(p)->channels, text);
}

static const struct plan_row rows[] = {
    {"--artifact", add_artifact, false, "a file that both commands write, at most 32 times"},
    {"--level", set_level, false, "bytes, order or values"},
};

/* Runs 1 and 2 are the lanes. */
static void choose(const struct runner *r, struct iteration *i)
{
    r->plan->options.command = of(r->plan)->commands[i->number - 1];
}

static bool tell(struct runner *r, struct iteration *i)
{
    struct shadow *s = of(r->plan);
    runner_record(r, i);
    channels_take(&s->channels, i);
    report_runs_take(&s->report, i);
    return !s->channels.failed;
}

/* Both sides of --vs. @return 0, or -1 after a message */
static int split(struct shadow *s)
{
    char **word = s->plan.options.command;
    s->commands[0] = word;
    while (*word && strcmp(*word, "--vs") != 0)
        word++;
    if (!*word || word == s->commands[0] || !word[1]) {
        message_say("shadow: give two commands, with --vs between them");
        return -1;
    }
    *word = NULL;
    s->commands[1] = word + 1;
    return 0;
}

/* The second command's own name would give it other streams. */
static int fix_test_name(struct shadow *s)
{
    size_t n = 0;
    char *word = NULL;
    while (s->plan.words[n])
        n++;
    char **words = reallocarray(s->plan.words, n + 2, sizeof(*words));
    if (!words || asprintf(&word, "--test-name=%s", s->plan.options.test_name) < 0) {
        message_say("out of memory");
        return -1;
    }
    words[n] = word;
    words[n + 1] = NULL;
    s->plan.words = words;
    return 0;
}

static void say_verdict(const struct shadow *s)
{
    const struct channels *c = &s->channels;
    if (channels_nothing(c)) {
        verdict_put("inconclusive");
        printf(": %s\n", channels_nothing(c));
        return;
    }
    if (c->diverged == 0) {
        verdict_put("same");
        printf(": baseline and candidate, seed %" PRIu64 ", at level %s\n",
               s->plan.options.seed.number, level_names[c->level]);
        return;
    }
    verdict_put("diverged");
    printf(": seed %" PRIu64 "\nbaseline and candidate ", s->plan.options.seed.number);
    channels_say(c);
    if (c->other_inputs != 0)
        puts("they asked for different answers, too: not in the same order, or not as often");
}

static const char *verdict_of(const struct channels *c)
{
    if (c->diverged != 0)
        return "diverged";
    return channels_nothing(c) ? "inconclusive" : "same";
}

static void put_verdict(FILE *out, const struct channels *c)
{
    record_put_text(out, "verdict", verdict_of(c));
    record_put_text(out, "level", level_names[c->level]);
    record_put_text(out, "text", c->diverged ? channels_name(c, c->channel) : "");
    fprintf(out, ",\"runs\":%" PRIu64 ",\"lanes\":[\"%s\",\"%s\"]", c->runs, lanes[0], lanes[1]);
}

static void record_verdict(struct runner *r, const struct channels *c)
{
    struct record record;
    channels_record(c, r);
    if (run_record_begin(&r->job, &record, "verdict") != 0)
        return;
    put_verdict(record.out, c);
    run_record_finish(&r->job, &record);
}

static int answer(const struct shadow *s, int status)
{
    if (!s->plan.json || status == COMMAND_USAGE)
        return status;
    FILE *out = reply_open(s->plan.name);
    if (out) {
        put_verdict(out, &s->channels);
        channels_put_divergence(out, &s->channels);
    }
    return reply_close(out, status);
}

int tool_shadow(char **words)
{
    static struct shadow s = {
        .plan = {
            .name = "shadow",
            .usage =
                "usage: detrun shadow [--level bytes|order|values] [--artifact PATH]...\n"
                "                     [--record FILE] [--keep DIR] [--junit FILE] [--report DIR]\n"
                "                     [options of detrun run]\n"
                "                     [--] command [arguments] --vs command [arguments]\n",
            .count = 2}};
    struct runner r = {.plan = &s.plan, .choose = choose, .tell = tell};
    int result = plan_parse(&s.plan, words, rows, sizeof(rows) / sizeof(rows[0]));
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    s.plan.count = 2;
    s.plan.jobs = 1;
    memcpy(s.report.lanes, lanes, sizeof(lanes));
    if (split(&s) != 0 || fix_test_name(&s) != 0 ||
        report_runs_open(&s.report, &s.plan, &s.channels) != 0 || runner_prepare(&r) != 0)
        return COMMAND_USAGE;
    runner_run(&r);
    fflush(NULL);
    watch_die();
    if (r.failed || s.channels.failed)
        return COMMAND_USAGE;
    say_verdict(&s);
    record_verdict(&r, &s.channels);
    const char *nothing = channels_nothing(&s.channels);
    int written = junit_write(&s.plan,
                              s.channels.diverged ? JUNIT_FAILED
                              : nothing           ? JUNIT_ERROR
                                                  : JUNIT_PASSED,
                              nothing ? nothing : "baseline and candidate differ", r.started_ns);
    if (report_runs_close(&s.report, verdict_of(&s.channels), nothing) != 0)
        written = -1;
    if (nothing)
        return answer(&s, 3);
    return answer(&s, written != 0 ? COMMAND_USAGE : s.channels.diverged != 0);
}
