/* SPDX-License-Identifier: MIT */
#include "run_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "config.h"
#include "digest.h"
#include "json.h"
#include "lineage.h"
#include "message.h"
#include "real.h"
#include "record.h"
#include "summary.h"

#define PLACE "0" /* the launcher is not part of the job */

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

static int begin(struct job *job, struct record *r, const char *event)
{
    return record_begin(r, &job->memory->params, PLACE, job->records++, event);
}

static void end(const struct job *job, struct record *r)
{
    record_end(r, job->memory, job->memory->params.record_fd);
}

static void put_u64(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":%" PRIu64 ",\"%s_hex\":\"0x%" PRIx64 "\"", name, value, name, value);
}

static void put_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    if (text)
        json_put_text(out, text);
    else
        fputs("null", out);
}

static void put_command(FILE *out, char **command)
{
    fputs(",\"command\":[", out);
    for (char **word = command; *word; word++) {
        if (word != command)
            fputc(',', out);
        json_put_text(out, *word);
    }
    fputc(']', out);
}

struct members {
    FILE *out;
    const char *comma;
};

static void put_member(const char *name, const char *text, void *argument)
{
    struct members *members = argument;
    fprintf(members->out, "%s\"%s\":", members->comma, name);
    json_put_text(members->out, text);
    members->comma = ",";
}

static void put_options(FILE *out, const struct options *o)
{
    struct members members = {out, ""};
    fputs(",\"options\":{", out);
    config_each_given(o, put_member, &members);
    fputc('}', out);
}

static void put_labels(FILE *out, const struct options_words *labels)
{
    struct members members = {out, ""};
    fputs(",\"labels\":{", out);
    for (unsigned i = 0; i < labels->count; i++) {
        AUTO_FREE char *name = strdup(labels->texts[i]);
        if (!name)
            continue;
        char *value = strchr(name, '=');
        *value = '\0';
        fputs(members.comma, out);
        json_put_text(out, name);
        fputc(':', out);
        json_put_text(out, value + 1);
        members.comma = ",";
    }
    fputc('}', out);
}

static void put_exports(FILE *out, const struct options_words *exports)
{
    fputs(",\"exports\":[", out);
    for (unsigned i = 0; i < exports->count; i++) {
        fputs(i ? "," : "", out);
        json_put_text(out, exports->texts[i]);
    }
    fputc(']', out);
}

static int put_input(FILE *out, const char *path)
{
    struct stat status;
    char digest[DIGEST_TEXT];
    uint64_t length;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0)
        return -errno;
    if (!S_ISREG(status.st_mode))
        return -EINVAL;
    int error = digest_descriptor(fd, digest, &length);
    if (error)
        return error;
    fputs("{\"path\":", out);
    json_put_text(out, path);
    fprintf(out, ",\"size\":%" PRIu64 ",\"mode\":\"%04o\",\"xxh3\":\"%s\"}", length,
            (unsigned)(status.st_mode & 07777), digest);
    return 0;
}

static int put_inputs(FILE *out, const struct options_words *inputs, char *error, size_t room)
{
    fputs(",\"inputs\":[", out);
    for (unsigned i = 0; i < inputs->count; i++) {
        if (i > 0)
            fputc(',', out);
        int result = put_input(out, inputs->texts[i]);
        if (result == 0)
            continue;
        snprintf(error, room, "--input: cannot read \"%s\": %s", inputs->texts[i],
                 result == -EINVAL ? "not a regular file" : strerror(-result));
        return result;
    }
    fputc(']', out);
    return 0;
}

static void put_started(FILE *out)
{
    char text[32];
    time_t now = time(NULL);
    struct tm tm;
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    put_text(out, "started", text);
}

static int count_cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

/* A descriptor, which is closed, or none. */
static void put_file(FILE *out, const char *name, int fd)
{
    char digest[DIGEST_TEXT];
    bool known = fd >= 0 && digest_descriptor(fd, digest, NULL) == 0;
    put_text(out, name, known ? digest : NULL);
    if (fd >= 0)
        close(fd);
}

/* What no two hosts, and no two runs, have in common. */
static void put_volatile_start(FILE *out, const struct job *job)
{
    struct utsname name;
    AUTO_FREE char *folder = getcwd(NULL, 0);
    uname(&name);
    fputs(",\"volatile\":{\"host\":", out);
    json_put_text(out, name.nodename);
    fprintf(out, ",\"pid\":%d", real_getpid());
    put_started(out);
    put_text(out, "cwd", folder);
    fprintf(out, ",\"cpus\":%d", count_cpus());
    put_file(out, "program_xxh3", command_open(&job->program));
    put_file(out, "loader_xxh3", command_open_loader(&job->program));
    fputc('}', out);
}

static int put_start(FILE *out, const struct job *job, char *error, size_t room)
{
    const struct options *o = job->options;
    char sha256[CONFIG_SHA256_TEXT];
    put_command(out, o->command);
    put_u64(out, "job_seed", o->seed.number);
    put_text(out, "seed_encoding", seed_encoding_names[o->seed.encoding]);
    put_text(out, "seed_source", seed_source_names[o->seed_source]);
    put_text(out, "test_name", o->test_name);
    put_u64(out, "test_seed", o->test_seed);
    fprintf(out, ",\"algorithm\":\"sha256\",\"stream_version\":%u", DETRUN_STREAM_VERSION);
    fprintf(out, ",\"step_ns\":%" PRIu64 ",\"mono_step_ns\":%" PRIu64 ",\"epoch_ns\":%" PRId64,
            o->step_ns, o->mono_step_ns, o->epoch_ns);
    put_text(out, "wait", o->wait_real ? "real" : "warp");
    put_text(out, "clock_scope", o->job_clock ? "job" : "task");
    put_options(out, o);
    put_exports(out, &o->exports);
    config_sha256(o, sha256);
    put_text(out, "config_sha256", sha256);
    int result = put_inputs(out, &o->inputs, error, room);
    put_labels(out, &o->labels);
    put_volatile_start(out, job);
    return result;
}

/* Contract, section 3. */
static void put_snapshot(FILE *out, uint64_t seed)
{
    static const struct {
        const char *name;
        bool presence;
    } names[] = {{"COLORTERM", false}, {"FTUI_TEST_PROFILE", false},
                 {"LANG", false},      {"LC_ALL", false},
                 {"NO_COLOR", true},   {"TERM", false},
                 {"TMUX", true},       {"TZ", false},
                 {"ZELLIJ", true}};
    fputs("{", out);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i].name);
        fprintf(out, "%s\"%s\":", i ? "," : "", names[i].name);
        if (names[i].presence)
            fputs(value ? "true" : "false", out);
        else if (value)
            json_put_text(out, value);
        else
            fputs("null", out);
    }
    fprintf(out, ",\"deterministic\":true,\"seed\":%" PRIu64 "}", seed);
}

static void put_env(FILE *out, uint64_t seed)
{
    AUTO_FREE char *snapshot = NULL;
    size_t size = 0;
    char digest[DIGEST_TEXT];
    FILE *text = open_memstream(&snapshot, &size);
    if (text)
        put_snapshot(text, seed);
    if (!text || fclose(text) != 0)
        return;
    digest_bytes(snapshot, size, digest);
    fprintf(out, ",\"snapshot\":%s,\"hash\":\"%s\"", snapshot, digest);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_volatile_env(FILE *out)
{
    AUTO_FREE char *all = NULL;
    size_t size = 0;
    size_t n = 0;
    char digest[DIGEST_TEXT];
    while (environ[n])
        n++;
    AUTO_FREE char **sorted = calloc(n + 1, sizeof(*sorted));
    FILE *text = sorted ? open_memstream(&all, &size) : NULL;
    if (!text)
        return;
    memcpy(sorted, environ, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), by_text);
    for (size_t i = 0; i < n; i++)
        fprintf(text, "%s\n", sorted[i]);
    if (fclose(text) != 0)
        return;
    digest_bytes(all, size, digest);
    fprintf(out, ",\"volatile\":{\"environment_xxh3\":\"%s\"}", digest);
}

int run_record_start(struct job *job, char *error, size_t room)
{
    const struct options *o = job->options;
    struct record r;
    job->started_ns = (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
    if (!o->record || begin(job, &r, "start") != 0)
        return 0;
    int result = put_start(r.out, job, error, room);
    if (result) {
        fclose(r.out);
        free(r.text);
        return result;
    }
    end(job, &r);
    if (begin(job, &r, "env") != 0)
        return 0;
    put_env(r.out, o->seed.number);
    put_volatile_env(r.out);
    end(job, &r);
    return 0;
}

static void record_coverage(struct job *job, const struct summary *s)
{
    struct record r;
    if (begin(job, &r, "coverage") != 0)
        return;
    fputc(',', r.out);
    summary_put_members(r.out, s);
    end(job, &r);
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
    put_text(out, "reason", reason);
}

static _Noreturn void become_shell(const char *command, int out)
{
    real_sigmask(SIG_SETMASK, 0, NULL);
    dup2(out, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(DETRUN_EXIT_NOT_FOUND);
}

/* @return false: there is nothing to be said of the state */
static bool digest_of_state(const char *command, char digest[DIGEST_TEXT])
{
    int ends[2];
    if (!command || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t shell = fork();
    if (shell == 0)
        become_shell(command, ends[1]);
    close(ends[1]);
    bool good = shell > 0 && digest_descriptor(ends[0], digest, NULL) == 0;
    close(ends[0]);
    while (shell > 0 && waitpid(shell, NULL, 0) < 0 && errno == EINTR)
        ;
    return good;
}

static void put_repeat(FILE *out, const struct options *o, const char *argv0)
{
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&line, &size);
    if (text)
        config_print_repeat(text, o, argv0);
    if (text && fclose(text) == 0)
        put_text(out, "reproduce", line);
}

static void record_failure(struct job *job, const struct run_result *result, const char *argv0)
{
    const struct options *o = job->options;
    char digest[DIGEST_TEXT];
    struct record r;
    bool state = digest_of_state(o->on_failure, digest);
    if (begin(job, &r, "failure") != 0)
        return;
    put_reason(r.out, o, result);
    put_text(r.out, "test_name", o->test_name);
    fputs(",\"iteration\":null,\"input\":{}", r.out);
    put_u64(r.out, "job_seed", o->seed.number);
    put_u64(r.out, "test_seed", o->test_seed);
    fputs(",\"shrinks_attempted\":0,\"hosts\":[],\"calls\":[]", r.out);
    put_text(r.out, "state", state ? digest : NULL);
    put_repeat(r.out, o, argv0);
    end(job, &r);
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
    if (begin(job, &r, "end") != 0)
        return;
    put_number_or_null(r.out, "exit", result->signal == 0, result->status);
    put_number_or_null(r.out, "signal", result->signal != 0, result->signal);
    fprintf(r.out, ",\"timed_out\":%s", result->timed_out ? "true" : "false");
    put_text(r.out, "result", run_outcome_names[run_outcome(job->options, result)]);
    fprintf(r.out, ",\"clock_reads\":%" PRIu64 ",\"event_count\":%" PRIu64, clock_reads(s),
            atomic_load(&job->memory->shared.counters[DETRUN_COUNTER_EVENTS]));
    fprintf(r.out, ",\"input_digest\":\"%016" PRIx64 "%016" PRIx64 "\"", s->inputs[1],
            s->inputs[0]);
    fprintf(r.out, ",\"volatile\":{\"duration_ns\":%" PRIu64 "}", now - job->started_ns);
    end(job, &r);
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
