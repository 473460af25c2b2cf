/* SPDX-License-Identifier: MIT */
#include "run_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "cleanup.h"
#include "config.h"
#include "digest.h"
#include "json.h"
#include "lineage.h"
#include "memory.h"
#include "message.h"
#include "real.h"
#include "record.h"
#include "summary.h"

/* The launcher is not part of the job, or of what it runs of one on other machines. */
static const char *place_of(const struct job *job)
{
    static char place[DETRUN_PLACE_SIZE + 2];
    const char *lineage = job->options->lineage;
    snprintf(place, sizeof(place), "%s%s", lineage ? lineage : "", lineage ? ".0" : "0");
    return place;
}

const char *const run_outcome_names[] = {"PASSED", "FAILED", "ERRORED", "SKIPPED"};

enum run_outcome run_outcome(const struct options *o, const struct run_result *result)
{
    if (result->signal != 0 || result->timed_out || result->status >= DETRUN_EXIT_FAILED)
        return RUN_ERRORED;
    if (result->status == 0)
        return RUN_PASSED;
    return (uint64_t)result->status == o->skip_status ? RUN_SKIPPED : RUN_FAILED;
}

int run_record_open(struct job *job, char *error, size_t room)
{
    struct detrun_params *p = &job->memory->params;
    if (!job->options->record)
        return 0;
    int fd = record_open(job->options->record, error, room);
    if (fd < 0)
        return fd;
    p->record_fd = fd;
    return 0;
}

void run_record_keep_repeat(struct job *job, const char *argv0)
{
    struct options o = *job->options;
    if (!o.record)
        return;
    FILE *out = fmemopen(job->memory->repeat, sizeof(job->memory->repeat), "w");
    if (!out)
        return;
    o.iteration = 0;
    config_print_repeat_options(out, &o, argv0);
    fputc('\0', out);
    config_print_repeat_command(out, &o);
    fputc('\0', out);
    bool fits = fflush(out) == 0 && !ferror(out);
    fclose(out);
    if (!fits)
        memset(job->memory->repeat, 0, 2);
}

int run_record_begin(struct job *job, struct record *r, const char *event)
{
    if (job->memory->params.record_fd == 0)
        return -ENOTCONN;
    return record_begin(r, &job->memory->params, place_of(job), job->records++, event);
}

void run_record_finish(const struct job *job, struct record *r)
{
    record_end(r, job->memory, job->memory->params.record_fd);
}

static void record_coverage(struct job *job, const struct summary *s)
{
    struct record r;
    if (run_record_begin(job, &r, "coverage") != 0)
        return;
    fputc(',', r.out);
    summary_put_members(r.out, s);
    run_record_finish(job, &r);
}

static void put_reason(FILE *out, const struct options *o, const struct run_result *result)
{
    char reason[sizeof(result->error) + 64];
    if (result->timed_out)
        snprintf(reason, sizeof(reason), "ended after its --timeout of %.9g s",
                 (double)o->timeout_ns / 1e9);
    else if (result->signal)
        snprintf(reason, sizeof(reason), "signal %d", result->signal);
    else if (result->error[0])
        snprintf(reason, sizeof(reason), "%s", result->error);
    else
        snprintf(reason, sizeof(reason), "exit status %d", result->status);
    record_put_text(out, "reason", reason);
}

static _Noreturn void become_shell(const char *command, int out)
{
    real_sigmask(SIG_SETMASK, 0, NULL);
    dup2(out, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(DETRUN_EXIT_NOT_FOUND);
}

/* A file, not a pipe, which what the shell left in the background might hold open for long.
 * @return false: there is nothing to be said of the state */
static bool digest_of_state(const char *command, char digest[DIGEST_TEXT])
{
    AUTO_CLOSE int out = command ? memory_open() : -1;
    pid_t shell = out < 0 ? -1 : fork();
    if (shell == 0)
        become_shell(command, out);
    while (shell > 0 && waitpid(shell, NULL, 0) < 0 && errno == EINTR)
        ;
    return shell > 0 && lseek(out, 0, SEEK_SET) == 0 && digest_descriptor(out, digest, NULL) == 0;
}

static void put_repeat(FILE *out, const struct options *o, const char *argv0)
{
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&line, &size);
    if (text)
        config_print_repeat(text, o, argv0);
    if (text && fclose(text) == 0)
        record_put_text(out, "reproduce", line);
}

static void record_failure(struct job *job, const struct run_result *result, const char *argv0)
{
    const struct options *o = job->options;
    char digest[DIGEST_TEXT];
    struct record r;
    bool state = digest_of_state(o->on_failure, digest);
    if (run_record_begin(job, &r, "failure") != 0)
        return;
    put_reason(r.out, o, result);
    record_put_text(r.out, "test_name", o->test_name);
    fputs(",\"iteration\":null,\"input\":{}", r.out);
    record_put_u64(r.out, "job_seed", o->seed.number);
    record_put_u64(r.out, "test_seed", o->test_seed);
    fputs(",\"shrinks_attempted\":0", r.out);
    calls_put(r.out, job->memory);
    record_put_text(r.out, "state", state ? digest : NULL);
    put_repeat(r.out, o, argv0);
    run_record_finish(job, &r);
}

static uint64_t clock_reads(const struct summary *s)
{
    uint64_t reads = 0;
    for (int source = DETRUN_WALL; source <= DETRUN_CPUTIME; source++)
        for (int door = 0; door < DETRUN_DOORS; door++)
            reads += s->answered[source][door];
    return reads;
}

static void put_number_or_null(FILE *out, const char *name, bool known, int number)
{
    if (known)
        fprintf(out, ",\"%s\":%d", name, number);
    else
        fprintf(out, ",\"%s\":null", name);
}

static void record_ending(struct job *job, const struct run_result *result, const struct summary *s)
{
    struct record r;
    uint64_t now = (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
    if (run_record_begin(job, &r, "end") != 0)
        return;
    put_number_or_null(r.out, "exit", result->signal == 0, result->status);
    put_number_or_null(r.out, "signal", result->signal != 0, result->signal);
    fprintf(r.out, ",\"timed_out\":%s", result->timed_out ? "true" : "false");
    record_put_text(r.out, "result", run_outcome_names[run_outcome(job->options, result)]);
    fprintf(r.out, ",\"clock_reads\":%" PRIu64 ",\"event_count\":%" PRIu64, clock_reads(s),
            atomic_load(&job->memory->shared.counters[DETRUN_COUNTER_EVENTS]));
    fprintf(r.out, ",\"input_digest\":\"%016" PRIx64 "%016" PRIx64 "\"", s->inputs[1],
            s->inputs[0]);
    fprintf(r.out, ",\"volatile\":{\"duration_ns\":%" PRIu64 "}", now - job->started_ns);
    run_record_finish(job, &r);
}

void run_record_end(struct job *job, const struct run_result *result, const char *argv0)
{
    enum run_outcome outcome = run_outcome(job->options, result);
    struct summary summary;
    if (!job->options->record)
        return;
    summary_collect(job->memory, &summary);
    record_coverage(job, &summary);
    if (outcome == RUN_FAILED || outcome == RUN_ERRORED)
        record_failure(job, result, argv0);
    record_ending(job, result, &summary);
}

bool run_record_is_whole(const struct job *job, char *error, size_t room)
{
    uint32_t failed = atomic_load(&job->memory->shared.record_error);
    if (failed == 0)
        return true;
    snprintf(error, room, "--record: \"%s\": %s: records are missing from there on",
             job->options->record, strerror((int)failed));
    return false;
}
