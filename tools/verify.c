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
#include "message.h"
#include "record.h"
#include "runner.h"
#include "tools.h"
#include "values.h"
#include "verify.h"

#define DEFAULT_RUNS 4

static struct verify *of(struct plan *p)
{
    return (struct verify *)p;
}

static bool add_artifact(struct plan *p, const char *text)
{
    struct verify *v = of(p);
    if (v->files == VERIFY_FILES || *text == '\0')
        return false;
    v->paths[v->files++] = text;
    return true;
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
    {"--expect", set_expect, false, "a file with expected results"},
    {"--write", set_write, true, "yes or no: 1 or 0"},
    {"--update", set_update, true, "yes or no: 1 or 0"},
    {"--reason", set_reason, false, "a sentence that says why results changed"},
};

const char *verify_channel_name(const struct verify *v, unsigned channel)
{
    static const char *const names[] = {"exit", "stdout", "stderr"};
    return channel < VERIFY_FIRST_FILE ? names[channel] : v->paths[channel - VERIFY_FIRST_FILE];
}

unsigned verify_channels(const struct verify *v)
{
    return VERIFY_FIRST_FILE + v->files;
}

/* The way it ended, as a text like the others. */
static int take_end(struct artifact *a, const struct iteration *i)
{
    char text[64];
    int n = i->signal ? snprintf(text, sizeof(text), "signal %d\n", i->signal)
                      : snprintf(text, sizeof(text), "exit status %d\n", i->status);
    *a = (struct artifact){.bytes = strdup(text), .length = (size_t)n};
    if (!a->bytes)
        return -1;
    digest_bytes(a->bytes, a->length, a->digest);
    return 0;
}

/* @return 0, or -1 after a message */
static int take_all(const struct verify *v, const struct iteration *i, struct artifact *taken)
{
    int error = take_end(&taken[0], i);
    if (!error)
        error = artifact_take_descriptor(&taken[1], i->out);
    if (!error)
        error = artifact_take_descriptor(&taken[2], i->err);
    for (unsigned k = 0; k < v->files && !error; k++) {
        error = artifact_take(&taken[VERIFY_FIRST_FILE + k], v->paths[k]);
        if (error)
            message_say("--artifact: cannot read \"%s\": %s", v->paths[k], strerror(-error));
    }
    return error ? -1 : 0;
}

static void compare(struct verify *v, const struct iteration *i, const struct artifact *taken)
{
    for (unsigned k = 0; k < verify_channels(v); k++) {
        if (artifact_equal(&v->first[k], &taken[k]))
            continue;
        v->differing[k]++;
        if (v->diverged != 0)
            continue;
        v->diverged = i->number;
        v->channel = k;
        artifact_difference(&v->first[k], &taken[k], &v->difference);
        memcpy(v->candidate, taken[k].digest, sizeof(v->candidate));
    }
    if (strcmp(v->inputs, i->inputs) != 0 && v->other_inputs == 0)
        v->other_inputs = i->number;
}

static void choose(const struct runner *r, struct iteration *i)
{
    conditions_before(&of(r->plan)->conditions, i);
}

static bool tell(struct runner *r, struct iteration *i)
{
    struct verify *v = of(r->plan);
    struct artifact taken[VERIFY_CHANNELS] = {{0}};
    conditions_after(&v->conditions);
    runner_record(r, i);
    v->failed = take_all(v, i, taken) != 0;
    if (v->runs++ == 0) {
        memcpy(v->first, taken, sizeof(taken));
        memcpy(v->inputs, i->inputs, sizeof(v->inputs));
        v->skipped = i->outcome == RUN_SKIPPED;
        return !v->failed;
    }
    compare(v, i, taken);
    for (unsigned k = 0; k < VERIFY_CHANNELS; k++)
        artifact_free(&taken[k]);
    return !v->failed;
}

static const char *verdict_of(const struct verify *v)
{
    if (v->diverged != 0)
        return "diverged";
    return v->runs < 2 ? "inconclusive" : "same";
}

static void say_divergence(const struct verify *v)
{
    const struct difference *d = &v->difference;
    printf("run 1 and run %" PRIu64 " part in %s at byte %zu, line %zu:\n  - %s\n  + %s\n",
           v->diverged, verify_channel_name(v, v->channel), d->offset, d->line, d->a, d->b);
    for (unsigned k = 0; k < verify_channels(v); k++)
        if (v->differing[k] != 0)
            printf("%s: differs in %" PRIu64 " of %" PRIu64 " runs\n", verify_channel_name(v, k),
                   v->differing[k], v->runs - 1);
    if (v->other_inputs != 0)
        printf("what was answered differs as well (run %" PRIu64
               "): threads or processes of which one was faster, or a source that is not "
               "controlled; see detrun -v\n",
               v->other_inputs);
    else
        puts("all that was answered is equal: the difference comes from what detrun does not "
             "control");
}

static void say_verdict(const struct verify *v)
{
    if (v->diverged != 0)
        printf("diverged: %" PRIu64 " runs with seed %" PRIu64 "\n", v->runs,
               v->plan.options.seed.number);
    else if (v->runs < 2)
        puts("inconclusive: one run has nothing to be compared with");
    else
        printf("same: %" PRIu64 " runs with seed %" PRIu64 ", compared: exit, stdout, stderr%s\n",
               v->runs, v->plan.options.seed.number, v->files ? ", files" : "");
    if (v->diverged != 0)
        say_divergence(v);
}

static void record_divergence(struct runner *r, const struct verify *v)
{
    struct record record;
    const struct difference *d = &v->difference;
    if (v->diverged == 0 || run_record_begin(&r->job, &record, "divergence") != 0)
        return;
    record_put_text(record.out, "stage", verify_channel_name(v, v->channel));
    fprintf(record.out, ",\"index\":%" PRIu64 ",\"offset\":%zu,\"line\":%zu", v->diverged,
            d->offset, d->line);
    record_put_text(record.out, "baseline", v->first[v->channel].digest);
    record_put_text(record.out, "candidate", v->candidate);
    record_put_text(record.out, "kind", "bytes");
    record_put_text(record.out, "likely_cause",
                    v->other_inputs ? "an order that is not controlled"
                                    : "something that is not controlled");
    run_record_finish(&r->job, &record);
}

static void record_verdict(struct runner *r, const struct verify *v)
{
    struct record record;
    if (run_record_begin(&r->job, &record, "verdict") != 0)
        return;
    record_put_text(record.out, "verdict", verdict_of(v));
    record_put_text(record.out, "level", "bytes");
    record_put_text(record.out, "text", v->diverged ? verify_channel_name(v, v->channel) : "");
    fprintf(record.out, ",\"runs\":%" PRIu64 ",\"conditions\":", v->runs);
    conditions_put(record.out);
    fputs(",\"compared\":{", record.out);
    for (unsigned k = 0; k < verify_channels(v); k++) {
        fputs(k ? "," : "", record.out);
        json_put_text(record.out, verify_channel_name(v, k));
        fprintf(record.out, ":{\"xxh3\":\"%s\",\"differing\":%" PRIu64 "}", v->first[k].digest,
                v->differing[k]);
    }
    fputc('}', record.out);
    run_record_finish(&r->job, &record);
}

static int check_options(const struct verify *v)
{
    const char *wrong = NULL;
    if ((v->write || v->update) && !v->expect)
        wrong = "--write and --update need --expect FILE";
    else if (v->update && !v->reason)
        wrong = "--update: say why the results changed, with --reason TEXT";
    else if (v->files && v->plan.jobs > 1)
        wrong = "--artifact: runs at once would write the same file; leave out --jobs";
    if (wrong)
        message_say("verify: %s", wrong);
    return wrong ? -1 : 0;
}

static int status_of(struct runner *r, struct verify *v)
{
    if (r->failed || v->failed)
        return COMMAND_USAGE;
    say_verdict(v);
    record_divergence(r, v);
    record_verdict(r, v);
    int expected = v->expect && !v->diverged ? expectation_check(v) : 0;
    if (v->diverged != 0)
        return 1;
    return expected != 0 ? expected : v->runs < 2 && !v->expect ? 3 : 0;
}

int tool_verify(char **words)
{
    static struct verify v = {
        .plan = {.name = "verify",
                 .usage =
                     "usage: detrun verify [-n N] [--artifact PATH]... [--record FILE] "
                     "[--keep DIR]\n"
                     "                     [--expect FILE [--write | --update --reason TEXT]]\n"
                     "                     [options of detrun run] [--] command [arguments]\n",
                 .count = DEFAULT_RUNS,
                 .vary = conditions_inside}};
    struct runner r = {.plan = &v.plan, .choose = choose, .tell = tell};
    int result = plan_parse(&v.plan, words, rows, sizeof(rows) / sizeof(rows[0]));
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (check_options(&v) != 0 || runner_prepare(&r) != 0)
        return COMMAND_USAGE;
    runner_run(&r);
    conditions_after(&v.conditions);
    runner_end(&r);
    return status_of(&r, &v);
}
