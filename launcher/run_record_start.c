/* SPDX-License-Identifier: MIT */
/*
 * What a run starts from.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "config.h"
#include "digest.h"
#include "environment.h"
#include "json.h"
#include "real.h"
#include "record.h"
#include "run_record.h"

static void put_command(FILE *out, const struct options *o)
{
    fputs(",\"command\":[", out);
    for (char **word = o->command; *word; word++) {
        fputs(word == o->command ? "" : ",", out);
        record_put_word(out, *word, o->redact);
    }
    fputc(']', out);
}

struct members {
    FILE *out;
    const char *redact;
    const char *comma;
};

static void put_member(const char *name, const char *text, void *argument)
{
    struct members *members = argument;
    fputs(members->comma, members->out);
    json_put_text(members->out, name);
    fputc(':', members->out);
    record_put_word(members->out, text, members->redact);
    members->comma = ",";
}

static void put_options(FILE *out, const struct options *o)
{
    struct members members = {out, o->redact, ""};
    fputs(",\"options\":{", out);
    config_each_given(o, put_member, &members);
    fputc('}', out);
}

static void put_labels(FILE *out, const struct options *o)
{
    struct members members = {out, o->redact, ""};
    fputs(",\"labels\":{", out);
    for (unsigned i = 0; i < o->labels.count; i++) {
        AUTO_FREE char *name = strdup(o->labels.texts[i]);
        if (!name)
            continue;
        char *value = strchr(name, '=');
        *value = '\0';
        put_member(name, value + 1, &members);
    }
    fputc('}', out);
}

static void put_words(FILE *out, const char *name, const struct options_words *words,
                      const struct options *o)
{
    fprintf(out, ",\"%s\":[", name);
    for (unsigned i = 0; i < words->count; i++) {
        fputs(i ? "," : "", out);
        record_put_word(out, words->texts[i], o->redact);
    }
    fputc(']', out);
}

static int put_input(FILE *out, const char *path, const char *redact)
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
    record_put_word(out, path, redact);
    fprintf(out, ",\"size\":%" PRIu64 ",\"mode\":\"%04o\",\"xxh3\":\"%s\"}", length,
            (unsigned)(status.st_mode & 07777), digest);
    return 0;
}

static int put_inputs(FILE *out, const struct options *o, char *error, size_t room)
{
    const struct options_words *inputs = &o->inputs;
    fputs(",\"inputs\":[", out);
    for (unsigned i = 0; i < inputs->count; i++) {
        if (i > 0)
            fputc(',', out);
        int result = put_input(out, inputs->texts[i], o->redact);
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
    record_put_text(out, "started", text);
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
    record_put_text(out, name, known ? digest : NULL);
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
    record_put_text(out, "cwd", folder);
    fprintf(out, ",\"cpus\":%d", count_cpus());
    put_file(out, "program_xxh3", command_open(&job->program));
    put_file(out, "loader_xxh3", command_open_loader(&job->program));
    fputc('}', out);
}

static int put_start(FILE *out, const struct job *job, char *error, size_t room)
{
    const struct options *o = job->options;
    char sha256[CONFIG_SHA256_TEXT];
    put_command(out, o);
    record_put_u64(out, "job_seed", o->seed.number);
    record_put_text(out, "seed_encoding", seed_encoding_names[o->seed.encoding]);
    record_put_text(out, "seed_source", seed_source_names[o->seed_source]);
    record_put_text(out, "test_name", o->test_name);
    record_put_u64(out, "test_seed", o->test_seed);
    fprintf(out, ",\"algorithm\":\"sha256\",\"stream_version\":%u", DETRUN_STREAM_VERSION);
    fprintf(out, ",\"step_ns\":%" PRIu64 ",\"mono_step_ns\":%" PRIu64 ",\"epoch_ns\":%" PRId64,
            o->step_ns, o->mono_step_ns, o->epoch_ns);
    record_put_text(out, "wait", o->wait_real ? "real" : "warp");
    record_put_text(out, "clock_scope", o->job_clock ? "job" : "task");
    put_options(out, o);
    put_words(out, "unset", &o->unset, o);
    put_words(out, "set", &o->set, o);
    put_words(out, "exports", &o->exports, o);
    config_sha256(o, sha256);
    record_put_text(out, "config_sha256", sha256);
    int result = put_inputs(out, o, error, room);
    put_labels(out, o);
    put_volatile_start(out, job);
    return result;
}

/* Contract, section 3. */
static void put_snapshot(FILE *out, char *const *environment, uint64_t seed)
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
        const char *value = environment_find(environment, names[i].name);
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

static void put_env(FILE *out, char *const *environment, uint64_t seed)
{
    AUTO_FREE char *snapshot = NULL;
    size_t size = 0;
    char digest[DIGEST_TEXT];
    FILE *text = open_memstream(&snapshot, &size);
    if (text)
        put_snapshot(text, environment, seed);
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
    if (run_record_begin(job, &r, "start") != 0)
        return 0;
    int result = put_start(r.out, job, error, room);
    if (result) {
        fclose(r.out);
        free(r.text);
        return result;
    }
    run_record_finish(job, &r);
    if (run_record_begin(job, &r, "env") != 0)
        return 0;
    put_env(r.out, job->environment, o->seed.number);
    put_volatile_env(r.out);
    run_record_finish(job, &r);
    return 0;
}
