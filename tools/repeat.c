/* SPDX-License-Identifier: MIT */
/*
 * detrun repeat: is a failure a bug, or a flake that the seed does not cause?
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>

#include "junit.h"
#include "message.h"
#include "record.h"
#include "reply.h"
#include "report_runs.h"
#include "runner.h"
#include "tally.h"
#include "tools.h"
#include "values.h"
#include "verdict.h"
#include "watch.h"

#define FAILURES_MAX 3 /* that are told one by one: the others are in the records */

struct repeat {
    struct plan plan;
    bool until_failure;
    bool vary_seed;
    struct tally tally;
    unsigned shown;           /**< failures */
    struct channels channels; /**< for the report alone: it keeps what runs wrote */
    struct report_runs report;
};

static struct repeat *of(struct plan *p)
{
    return (struct repeat *)p;
}

static bool set_until_failure(struct plan *p, const char *text)
{
    return value_boolean(text, &of(p)->until_failure);
}

static bool set_vary_seed(struct plan *p, const char *text)
{
    return value_boolean(text, &of(p)->vary_seed);
}

static const struct plan_row rows[] = {
    {"--max-examples", plan_set_count, false, "a number of runs: 1 to 4294967295"},
    {"--until-failure", set_until_failure, true, "yes or no: 1 or 0"},
    {"--vary-seed", set_vary_seed, true, "yes or no: 1 or 0"},
};

static void choose(const struct runner *r, struct iteration *i)
{
    const struct plan *p = r->plan;
    i->seed = (struct job_seed){.number = iteration_seed(&p->options, i->number)};
}

/* What the first one that failed wrote, and how each one is repeated. */
static void show_failure(struct repeat *own, const struct iteration *i)
{
    if (own->shown++ >= FAILURES_MAX)
        return;
    runner_clear_progress();
    message_say("run %" PRIu64 " %s: %s", i->number,
                i->outcome == RUN_FAILED ? "failed" : "ended in an error",
                *i->reason ? i->reason : "no word of its end");
    if (*i->reproduce)
        fprintf(stderr, "detrun: to repeat: %s\n", i->reproduce);
    if (own->shown == 1)
        runner_show_output(i);
}

/* @return whether it ended by itself */
static bool run_again(struct repeat *own, struct iteration *again)
{
    int status = 0;
    if (iteration_start(again, &own->plan) != 0)
        return false;
    bool ended = watch_wait(again->pid, &status) > 0;
    if (!ended) {
        iteration_stop(again);
        waitpid(again->pid, &status, 0);
    }
    iteration_end(again, status);
    return ended;
}

/* With another seed each time one failure says nothing yet: is it there again? */
static void try_again(struct runner *r, const struct iteration *failed)
{
    struct repeat *own = of(r->plan);
    struct iteration again = {.number = failed->number, .seed = failed->seed};
    bool ended = run_again(own, &again);
    if (ended && again.no_room) {
        iteration_say_no_room(&again, r->plan);
        r->failed = true;
    } else if (ended) {
        if (iteration_same_end(&again, failed))
            own->tally.failed_again++;
        else
            own->tally.failed_otherwise++;
    }
    iteration_close(&again);
}

static void report(struct repeat *own, const struct iteration *i)
{
    if (!own->plan.report)
        return;
    channels_take(&own->channels, i);
    report_runs_take(&own->report, i);
}

static bool tell(struct runner *r, struct iteration *i)
{
    struct repeat *own = of(r->plan);
    tally_add(&own->tally, i);
    runner_record(r, i);
    report(own, i);
    if (!iteration_is_unsuccessful(i))
        return true;
    show_failure(own, i);
    if (own->vary_seed)
        try_again(r, i);
    return !own->until_failure && !r->failed;
}

static void put_verdict(FILE *out, const struct tally *t)
{
    char text[512];
    record_put_text(out, "verdict", tally_verdict(t, text, sizeof(text)));
    record_put_text(out, "level", "bytes");
    record_put_text(out, "text", text);
    fprintf(out,
            ",\"vary_seed\":%s,\"runs\":%" PRIu64 ",\"passed\":%" PRIu64 ",\"failed\":%" PRIu64
            ",\"errored\":%" PRIu64 ",\"skipped\":%" PRIu64,
            t->varied ? "true" : "false", t->runs, t->outcomes[RUN_PASSED], t->outcomes[RUN_FAILED],
            t->outcomes[RUN_ERRORED], t->outcomes[RUN_SKIPPED]);
}

static void record_verdict(struct runner *r, const struct tally *t)
{
    struct record record;
    if (run_record_begin(&r->job, &record, "verdict") != 0)
        return;
    put_verdict(record.out, t);
    run_record_finish(&r->job, &record);
}

static int answer(const struct repeat *own, int status)
{
    if (!own->plan.json || status == COMMAND_USAGE)
        return status;
    FILE *out = reply_open(own->plan.name);
    if (out)
        put_verdict(out, &own->tally);
    return reply_close(out, status);
}

static enum junit_result junit_result_of(const struct tally *t)
{
    if (t->first.number == 0)
        return JUNIT_SKIPPED;
    if (t->other_end != 0 || t->failed_otherwise != 0)
        return JUNIT_FLAKY;
    if (t->outcomes[RUN_FAILED] != 0)
        return JUNIT_FAILED;
    return t->outcomes[RUN_ERRORED] != 0 ? JUNIT_ERROR : JUNIT_PASSED;
}

static void tell_verdict(struct runner *r, struct repeat *own)
{
    const struct tally *t = &own->tally;
    char text[512];
    char error[512];
    const char *verdict = tally_verdict(t, text, sizeof(text));
    verdict_put(verdict);
    printf(": %s\n", text);
    printf("%" PRIu64 " runs: %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
           " ended in an error, %" PRIu64 " skipped; job seed %" PRIu64 "\n",
           t->runs, t->outcomes[RUN_PASSED], t->outcomes[RUN_FAILED], t->outcomes[RUN_ERRORED],
           t->outcomes[RUN_SKIPPED], r->plan->options.seed.number);
    record_verdict(r, t);
    if (junit_write(r->plan, junit_result_of(t), text, r->started_ns) != 0)
        r->failed = true;
    if (report_runs_close(&own->report, verdict, text) != 0)
        r->failed = true;
    if (!run_record_is_whole(&r->job, error, sizeof(error)))
        message_say("%s", error);
}

int tool_repeat(char **words)
{
    static struct repeat own = {
        .plan = {.name = "repeat",
                 .usage = "usage: detrun repeat -n N | --until-failure [--vary-seed] [--jobs J]\n"
                          "                     [--record FILE] [--keep DIR] [--junit FILE] "
                          "[--report DIR] [options of detrun run]\n"
                          "                     [--] command [arguments]\n"}};
    struct runner r = {.plan = &own.plan, .tell = tell};
    int result = plan_parse(&own.plan, words, rows, sizeof(rows) / sizeof(rows[0]));
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (own.plan.count == 0 && !own.until_failure) {
        message_say("repeat: give -n N, or --until-failure; see detrun repeat --help");
        return COMMAND_USAGE;
    }
    r.choose = own.vary_seed ? choose : NULL;
    own.tally.varied = own.vary_seed;
    own.channels.only_end = own.vary_seed;
    if (report_runs_open(&own.report, &own.plan, &own.channels) != 0 || runner_prepare(&r) != 0)
        return COMMAND_USAGE;
    runner_run(&r);
    own.tally.broken = r.failed;
    tell_verdict(&r, &own);
    int status = answer(&own, r.failed ? COMMAND_USAGE : tally_status(&own.tally));
    fflush(NULL);
    watch_die();
    return status;
}
