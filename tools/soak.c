/* SPDX-License-Identifier: MIT */
/*
 * detrun soak: many runs, each compared with the first one of its seed. Goes on where it stopped:
 * the records say how far it came, and what the first run of the present seed left.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "config.h"
#include "junit.h"
#include "message.h"
#include "real.h"
#include "record.h"
#include "record_reader.h"
#include "reply.h"
#include "report_runs.h"
#include "runner.h"
#include "tools.h"
#include "values.h"
#include "verdict.h"
#include "watch.h"

struct soak {
    struct plan plan;
    bool seeds; /**< each seed of the range runs twice, one after the other */
    uint64_t from;
    uint64_t to;
    uint64_t for_ns;
    bool resume;
    bool keep_going;

    uint64_t done;          /**< runs of before the resumption */
    struct iteration first; /**< of the present seed */
    uint64_t compared;
    uint64_t diverged;
    uint64_t outcomes[RUN_SKIPPED + 1];
    struct channels channels; /**< for the report alone: it keeps what runs wrote */
    struct report_runs report;
};

static struct soak *of(struct plan *p)
{
    return (struct soak *)p;
}

static bool set_for(struct plan *p, const char *text)
{
    return value_duration(text, 1000000000, &of(p)->for_ns) && of(p)->for_ns > 0;
}

static bool set_seeds(struct plan *p, const char *text)
{
    struct soak *s = of(p);
    char first[32];
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof(first))
        return false;
    snprintf(first, sizeof(first), "%.*s", (int)(dots - text), text);
    s->seeds = true;
    return value_u64(first, &s->from) && value_u64(dots + 2, &s->to) && s->from <= s->to &&
           s->to - s->from < UINT32_MAX;
}

static bool set_one_seed(struct plan *p, const char *text)
{
    bool on;
    bool good = value_boolean(text, &on);
    of(p)->seeds = good && on ? false : of(p)->seeds;
    return good;
}

static bool set_resume(struct plan *p, const char *text)
{
    return value_boolean(text, &of(p)->resume);
}

static bool set_keep_going(struct plan *p, const char *text)
{
    return value_boolean(text, &of(p)->keep_going);
}

static const struct plan_row rows[] = {
    {"--runs", plan_set_count, false, "a number of runs: 1 to 4294967295"},
    {"--for", set_for, false, "a real time: 30m"},
    {"--seeds", set_seeds, false, "a range of seeds: 1..100"},
    {"--one-seed", set_one_seed, true, "yes or no: 1 or 0"},
    {"--resume", set_resume, true, "yes or no: 1 or 0"},
    {"--keep-going", set_keep_going, true, "yes or no: 1 or 0"},
};

static void choose(const struct runner *r, struct iteration *i)
{
    const struct soak *s = of(r->plan);
    if (s->seeds)
        i->seed = (struct job_seed){.number = s->from + (i->number - 1) / 2};
}

static bool is_first_of_seed(const struct soak *s, uint64_t number)
{
    return s->seeds ? number % 2 == 1 : number == 1;
}

/* @return NULL: they agree */
static const char *differing(const struct soak *s, const struct iteration *i)
{
    const struct iteration *first = &s->first;
    if ((first->outcome == RUN_SKIPPED) != (i->outcome == RUN_SKIPPED))
        return "skipped";
    if (!iteration_same_end(first, i))
        return "exit";
    if (strcmp(first->out_digest, i->out_digest) != 0)
        return "stdout";
    return strcmp(first->err_digest, i->err_digest) != 0 ? "stderr" : NULL;
}

static void record_divergence(struct runner *r, const struct iteration *i, const char *channel)
{
    const struct iteration *first = &of(r->plan)->first;
    struct record record;
    bool err = strcmp(channel, "stderr") == 0;
    if (run_record_begin(&r->job, &record, "divergence") != 0)
        return;
    record_put_text(record.out, "stage", channel);
    fprintf(record.out, ",\"index\":%" PRIu64 ",\"offset\":0", i->number);
    record_put_text(record.out, "baseline", err ? first->err_digest : first->out_digest);
    record_put_text(record.out, "candidate", err ? i->err_digest : i->out_digest);
    record_put_text(record.out, "kind", "bytes");
    record_put_text(record.out, "likely_cause",
                    strcmp(first->inputs, i->inputs) != 0 ? "an order that is not controlled"
                                                          : "something that is not controlled");
    record_put_u64(record.out, "job_seed", i->seed.number);
    run_record_finish(&r->job, &record);
}

static void tell_divergence(struct runner *r, const struct iteration *i, const char *channel)
{
    struct soak *s = of(r->plan);
    record_divergence(r, i, channel);
    if (s->diverged++ != 0)
        return;
    runner_clear_progress();
    verdict_put("diverged");
    printf(": run %" PRIu64 " (seed %" PRIu64 ") differs from run %" PRIu64 " in %s%s\n", i->number,
           i->seed.number, s->first.number, channel,
           strcmp(s->first.inputs, i->inputs) ? "; what was answered differs as well" : "");
    if (*i->reason)
        printf("  %s\n", i->reason);
    printf("  detrun verify --seed %" PRIu64 " shows where they part\n", i->seed.number);
}

static bool is_time_up(const struct runner *r, const struct soak *s)
{
    return s->for_ns != 0 && (uint64_t)real_clock_ns(CLOCK_MONOTONIC) - r->started_ns >= s->for_ns;
}

static void report(struct soak *s, const struct iteration *i)
{
    if (!s->plan.report)
        return;
    if (is_first_of_seed(s, i->number))
        channels_restart(&s->channels);
    channels_take(&s->channels, i);
    report_runs_take(&s->report, i);
}

static bool tell(struct runner *r, struct iteration *i)
{
    struct soak *s = of(r->plan);
    s->outcomes[i->outcome]++;
    runner_record(r, i);
    report(s, i);
    if (is_first_of_seed(s, i->number)) {
        s->first = *i;
        return !is_time_up(r, s);
    }
    s->compared++;
    const char *channel = differing(s, i);
    if (channel)
        tell_divergence(r, i, channel);
    return (!channel || s->keep_going) && !is_time_up(r, s);
}

/* The runs in the file are those of this command, with this seed and these settings. */
static bool is_ours(const struct soak *s, const json_t *start)
{
    char sha256[CONFIG_SHA256_TEXT];
    const json_t *command = json_object_get(start, "command");
    char **word = s->plan.options.command;
    size_t i;
    json_t *recorded;
    config_sha256(&s->plan.options, sha256);
    json_array_foreach(command, i, recorded)
    {
        AUTO_FREE char *text = record_word(recorded);
        if (!*word || !text || strcmp(*word++, text) != 0)
            return false;
    }
    return !*word && strcmp(record_text(start, "config_sha256", ""), sha256) == 0;
}

/* What an earlier soak recorded of its last runs. */
static void take_iteration(struct soak *s, const json_t *record)
{
    struct iteration *first = &s->first;
    uint64_t number = (uint64_t)record_number(record, "iteration", 0);
    const char *result = record_text(record, "result", "");
    if (!record_is(record, "iteration") || record_number(record, "run", 0) != 0 || number == 0)
        return;
    s->done = number;
    if (!is_first_of_seed(s, number))
        return;
    *first = (struct iteration){.number = number};
    first->status = (int)record_number(record, "exit", -1);
    first->signal = (int)record_number(record, "signal", 0);
    for (int outcome = RUN_PASSED; outcome <= RUN_SKIPPED; outcome++)
        if (strcmp(result, run_outcome_names[outcome]) == 0)
            first->outcome = (enum run_outcome)outcome;
    snprintf(first->out_digest, DIGEST_TEXT, "%s", record_text(record, "stdout_xxh3", ""));
    snprintf(first->err_digest, DIGEST_TEXT, "%s", record_text(record, "stderr_xxh3", ""));
    snprintf(first->inputs, DIGEST_TEXT, "%s", record_text(record, "input_digest", ""));
}

/* @return 0, or -1 after a message
 */
static int resume(struct soak *s)
{
    struct record_reader r;
    char error[512];
    json_t *record;
    const char *path = s->plan.options.record;
    if (!path || strcmp(path, "-") == 0 || strncmp(path, "fd:", 3) == 0) {
        message_say("--resume: give the file of the soak that stopped, with --record FILE");
        return -1;
    }
    if (record_reader_open(&r, path, error, sizeof(error)) != 0) {
        message_say("--resume: %s", error);
        return -1;
    }
    bool good = true;
    int more;
    while (good && (more = record_reader_next(&r, &record, error, sizeof(error))) != 0) {
        good = more > 0 || s->done > 0; /* a line that was cut off when the writer was killed */
        if (more <= 0)
            continue;
        if (record_is(record, "start") && !is_ours(s, record)) {
            snprintf(error, sizeof(error), "\"%s\" has runs of another command, seed or setting",
                     path);
            good = false;
        }
        take_iteration(s, record);
        json_decref(record);
    }
    record_reader_close(&r);
    if (!good)
        message_say("--resume: %s", error);
    return good ? 0 : -1;
}

static int check(struct soak *s)
{
    struct plan *p = &s->plan;
    uint64_t all = 2 * (s->to - s->from + 1);
    if (p->count == 0 && s->for_ns == 0 && !s->seeds) {
        message_say("soak: give --runs N, --for TIME or --seeds A..B; see detrun soak --help");
        return -1;
    }
    if (s->seeds && (p->count == 0 || p->count > all))
        p->count = all;
    if (s->resume && resume(s) != 0)
        return -1;
    if (p->count != 0 && s->done >= p->count) {
        message_say("soak: all %" PRIu64 " runs have been done; nothing to resume", p->count);
        return -1;
    }
    p->count -= p->count != 0 ? s->done : 0;
    return 0;
}

/* Runs that all were skipped, or none of which could be run, say nothing. */
static bool has_compared(const struct soak *s)
{
    return s->compared != 0 && s->outcomes[RUN_PASSED] + s->outcomes[RUN_FAILED] != 0;
}

static const char *verdict_of(const struct runner *r, const struct soak *s)
{
    if (s->diverged != 0)
        return "diverged";
    return has_compared(s) && !r->failed ? "same" : "inconclusive";
}

static void put_verdict(FILE *out, const struct runner *r, const struct soak *s)
{
    record_put_text(out, "verdict", verdict_of(r, s));
    record_put_text(out, "level", "bytes");
    record_put_text(out, "text", "");
    fprintf(out,
            ",\"runs\":%" PRIu64 ",\"passed\":%" PRIu64 ",\"failed\":%" PRIu64
            ",\"errored\":%" PRIu64 ",\"skipped\":%" PRIu64,
            r->told - r->first, s->outcomes[RUN_PASSED], s->outcomes[RUN_FAILED],
            s->outcomes[RUN_ERRORED], s->outcomes[RUN_SKIPPED]);
}

static int answer(const struct runner *r, const struct soak *s, int status)
{
    if (!s->plan.json || status == COMMAND_USAGE)
        return status;
    FILE *out = reply_open(s->plan.name);
    if (out) {
        put_verdict(out, r, s);
        fprintf(out, ",\"compared\":%" PRIu64 ",\"diverged\":%" PRIu64, s->compared, s->diverged);
    }
    return reply_close(out, status);
}

static void tell_verdict(struct runner *r, struct soak *s)
{
    struct record record;
    char error[512];
    uint64_t runs = r->told - r->first;
    verdict_put(verdict_of(r, s));
    printf(": %" PRIu64 " runs, %" PRIu64 " compared with the first of their seed, %" PRIu64
           " diverged; %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
           " ended in an error, %" PRIu64 " skipped\n",
           runs, s->compared, s->diverged, s->outcomes[RUN_PASSED], s->outcomes[RUN_FAILED],
           s->outcomes[RUN_ERRORED], s->outcomes[RUN_SKIPPED]);
    if (run_record_begin(&r->job, &record, "verdict") == 0) {
        put_verdict(record.out, r, s);
        run_record_finish(&r->job, &record);
    }
    junit_write(r->plan,
                s->diverged        ? JUNIT_FLAKY
                : !has_compared(s) ? JUNIT_SKIPPED
                                   : JUNIT_PASSED,
                verdict_of(r, s), r->started_ns);
    if (report_runs_close(&s->report, verdict_of(r, s), NULL) != 0)
        r->failed = true;
    if (!run_record_is_whole(&r->job, error, sizeof(error)))
        message_say("%s", error);
}

int tool_soak(char **words)
{
    static struct soak s = {
        .plan = {.name = "soak",
                 .usage = "usage: detrun soak --runs N | --for TIME | --seeds A..B [--one-seed]\n"
                          "                   [--jobs J] [--keep-going] [--record FILE [--resume]] "
                          "[--keep DIR] [--junit FILE] [--report DIR]\n"
                          "                   [options of detrun run] [--] command [arguments]\n"}};
    struct runner r = {.plan = &s.plan, .choose = choose, .tell = tell};
    int result = plan_parse(&s.plan, words, rows, sizeof(rows) / sizeof(rows[0]));
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (check(&s) != 0 || report_runs_open(&s.report, &s.plan, &s.channels) != 0 ||
        runner_prepare(&r) != 0)
        return COMMAND_USAGE;
    r.first = s.done;
    runner_run(&r);
    tell_verdict(&r, &s);
    int status = s.diverged ? 1 : has_compared(&s) ? 0 : 3;
    status = answer(&r, &s, r.failed ? COMMAND_USAGE : status);
    fflush(NULL);
    watch_die();
    return status;
}
