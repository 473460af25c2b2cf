/* SPDX-License-Identifier: MIT */
/*
 * detrun verify: is a command deterministic? Runs with one seed under conditions that must not
 * matter, and compares all that they leave.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact.h"
#include "conditions.h"
#include "expectation.h"
#include "json.h"
#include "junit.h"
#include "message.h"
#include "record.h"
#include "reply.h"
#include "runner.h"
#include "tools.h"
#include "values.h"
#include "verdict.h"
#include "verify.h"
#include "watch.h"

#define DEFAULT_RUNS 4

static struct verify *of(struct plan *p)
{
    return (struct verify *)p;
}

static bool add_artifact(struct plan *p, const char *text)
{
    return channels_add_file(&of(p)->channels, text);
}

static bool set_level(struct plan *p, const char *text)
{
    return channels_set_level(&of(p)->channels, text);
}

static bool set_expect(struct plan *p, const char *text)
{
    of(p)->expect = text;
    return *text != '\0';
}

static bool set_reason(struct plan *p, const char *text)
{
    of(p)->reason = text;
    return *text != '\0';
}

static bool set_write(struct plan *p, const char *text)
{
    return value_boolean(text, &of(p)->write);
}

static bool set_update(struct plan *p, const char *text)
{
    return value_boolean(text, &of(p)->update);
}

static const struct plan_row rows[] = {
    {"--artifact", add_artifact, false, "a file that the command writes, at most 32 times"},
    {"--level", set_level, false, "bytes, order or values"},
    {"--expect", set_expect, false, "a file with expected results"},
    {"--write", set_write, true, "yes or no: 1 or 0"},
    {"--update", set_update, true, "yes or no: 1 or 0"},
    {"--reason", set_reason, false, "a sentence that says why results changed"},
};

static void choose(const struct runner *r, struct iteration *i)
{
    conditions_before(&of(r->plan)->conditions, i);
}

static bool tell(struct runner *r, struct iteration *i)
{
    struct verify *v = of(r->plan);
    conditions_after(&v->conditions);
    runner_record(r, i);
    channels_take(&v->channels, i);
    report_runs_take(&v->report, i);
    return !v->channels.failed;
}

static const char *verdict_of(const struct verify *v)
{
    if (v->channels.diverged != 0)
        return "diverged";
    return v->channels.runs < 2 || channels_nothing(&v->channels) ? "inconclusive" : "same";
}

static void say_divergence(const struct verify *v)
{
    const struct channels *c = &v->channels;
    printf(": %" PRIu64 " runs with seed %" PRIu64 "\nrun 1 and run %" PRIu64 " ", c->runs,
           v->plan.options.seed.number, c->diverged);
    channels_say(c);
    if (c->other_inputs != 0)
        printf("what was answered differs as well (run %" PRIu64
               "): threads or processes of which one was faster, or a source that is not "
               "controlled; see detrun audit\n",
               c->other_inputs);
    else
        puts("all that was answered is equal: the difference comes from what detrun does not "
             "control");
    trace_channel_say(&c->traces);
}

static void say_verdict(const struct verify *v)
{
    const struct channels *c = &v->channels;
    verdict_put(verdict_of(v));
    if (c->diverged != 0)
        say_divergence(v);
    else if (channels_nothing(c))
        printf(": %s\n", channels_nothing(c));
    else if (c->runs < 2)
        puts(": one run has nothing to be compared with");
    else
        printf(": %" PRIu64 " runs with seed %" PRIu64
               ", compared at level %s: %s%sstdout, stderr, exit\n",
               c->runs, v->plan.options.seed.number, level_names[c->level],
               c->files ? "files, " : "", c->staged ? "stages, " : "");
}

static void put_verdict(FILE *out, const struct verify *v)
{
    const struct channels *c = &v->channels;
    record_put_text(out, "verdict", verdict_of(v));
    record_put_text(out, "level", level_names[c->level]);
    record_put_text(out, "text", c->diverged ? channels_name(c, c->channel) : "");
    fprintf(out, ",\"runs\":%" PRIu64 ",\"conditions\":", c->runs);
    conditions_put(out);
    fputs(",\"compared\":{", out);
    const char *comma = "";
    for (unsigned k = 0; k < channels_count(c); k++) {
        if (!channels_is_used(c, k))
            continue;
        fputs(comma, out);
        comma = ",";
        json_put_text(out, channels_name(c, k));
        fprintf(out, ":{\"xxh3\":\"%s\",\"differing\":%" PRIu64 "}", c->first[k].digest,
                c->differing[k]);
    }
    fputc('}', out);
    trace_channel_put(out, &c->traces);
}

static void record_verdict(struct runner *r, const struct verify *v)
{
    struct record record;
    if (run_record_begin(&r->job, &record, "verdict") != 0)
        return;
    put_verdict(record.out, v);
    run_record_finish(&r->job, &record);
}

static int answer(const struct verify *v, int status)
{
    if (!v->plan.json || status == COMMAND_USAGE)
        return status;
    FILE *out = reply_open(v->plan.name);
    if (out) {
        put_verdict(out, v);
        channels_put_divergence(out, &v->channels);
        fprintf(out, ",\"as_expected\":%s",
                v->expected < 0 ? "null"
                : v->expected   ? "true"
                                : "false");
    }
    return reply_close(out, status);
}

static int check_options(const struct verify *v)
{
    const char *wrong = NULL;
    if ((v->write || v->update) && !v->expect)
        wrong = "--write and --update need --expect FILE";
    else if (v->update && !v->reason)
        wrong = "--update: say why the results changed, with --reason TEXT";
    else if (v->channels.files && v->plan.jobs > 1)
        wrong = "--artifact: runs at once would write the same file; leave out --jobs";
    if (wrong)
        message_say("verify: %s", wrong);
    return wrong ? -1 : 0;
}

static enum junit_result junit_result_of(const struct verify *v, int expected)
{
    if (v->channels.diverged != 0)
        return JUNIT_FLAKY;
    if (channels_nothing(&v->channels))
        return JUNIT_ERROR;
    if (expected != 0)
        return JUNIT_FAILED;
    return v->channels.runs < 2 && !v->expect ? JUNIT_SKIPPED : JUNIT_PASSED;
}

static int status_of(struct runner *r, struct verify *v)
{
    const struct channels *c = &v->channels;
    if (r->failed || c->failed)
        return COMMAND_USAGE;
    say_verdict(v);
    channels_record(c, r);
    record_verdict(r, v);
    const char *nothing = channels_nothing(c);
    bool expects = v->expect && !c->diverged && !nothing;
    int expected = expects ? expectation_check(v) : 0;
    v->expected = expects ? expected == 0 : -1;
    const char *channel = c->diverged ? channels_name(c, c->channel) : "";
    int written = junit_write(&v->plan, junit_result_of(v, expected),
                              nothing    ? nothing
                              : expected ? "not as expected"
                                         : channel,
                              r->started_ns);
    if (report_runs_close(&v->report, verdict_of(v), channels_nothing(&v->channels)) != 0)
        written = -1;
    if (c->diverged != 0)
        return 1;
    if (nothing || (c->runs < 2 && !v->expect))
        return 3;
    return written != 0 ? COMMAND_USAGE : expected;
}

int tool_verify(char **words)
{
    static struct verify v = {
        .plan = {.name = "verify",
                 .usage =
                     "usage: detrun verify [-n N] [--level bytes|order|values] [--artifact "
                     "PATH]... [--record FILE] "
                     "[--keep DIR] [--junit FILE] [--report DIR]\n"
                     "                     [--expect FILE [--write | --update --reason TEXT]]\n"
                     "                     [options of detrun run] [--] command [arguments]\n",
                 .count = DEFAULT_RUNS,
                 .vary = conditions_inside,
                 .traces = true}};
    struct runner r = {.plan = &v.plan, .choose = choose, .tell = tell};
    int result = plan_parse(&v.plan, words, rows, sizeof(rows) / sizeof(rows[0]));
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (check_options(&v) != 0 || report_runs_open(&v.report, &v.plan, &v.channels) != 0 ||
        runner_prepare(&r) != 0)
        return COMMAND_USAGE;
    runner_run(&r);
    conditions_after(&v.conditions);
    fflush(NULL);
    watch_die();
    return answer(&v, status_of(&r, &v));
}
