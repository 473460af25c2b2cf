/* SPDX-License-Identifier: MIT */
/*
 * detrun audit: one run, and a table of all that the program asked for: how often, by which door it
 * was answered, whether it was controlled, and what to do where it was not.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coverage.h"
#include "json.h"
#include "message.h"
#include "plan.h"
#include "record_reader.h"
#include "tools.h"

#define INCONCLUSIVE 3

struct audit {
    struct plan plan;
    bool json;
};

static bool set_format(struct plan *p, const char *text)
{
    ((struct audit *)p)->json = strcmp(text, "json") == 0;
    return strcmp(text, "json") == 0 || strcmp(text, "text") == 0;
}

static const struct plan_row rows[] = {{"--format", set_format, false, "text or json"}};

/* With its own standard streams: the table goes to standard error behind what it writes. */
static int run(const struct plan *p, int records)
{
    char record[32];
    int status;
    size_t others = 0;
    size_t n = 0;
    while (p->words[others])
        others++;
    while (p->options.command[n])
        n++;
    char **argv = calloc(others + n + 5, sizeof(*argv));
    if (!argv)
        return -1;
    snprintf(record, sizeof(record), "--record=fd:%d", records);
    argv[0] = p->self;
    memcpy(argv + 1, p->words, others * sizeof(*argv));
    argv[1 + others] = record;
    argv[2 + others] = (char[]){"--"};
    memcpy(argv + 3 + others, p->options.command, n * sizeof(*argv));
    pid_t pid = fork();
    if (pid == 0) {
        execv(argv[0], argv);
        _exit(DETRUN_EXIT_FAILED);
    }
    free(argv);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 ? 0 : -1;
}

static bool is_real(const struct audit *a, size_t source)
{
    return (a->plan.options.real >> source & 1) != 0;
}

static void put_doors(const json_t *counts)
{
    const char *comma = "";
    for (size_t i = 0; i < COVERAGE_DOORS; i++) {
        int64_t n = record_number(counts, coverage_doors[i], 0);
        if (n != 0)
            fprintf(stderr, "%s%s %" PRId64, comma, coverage_doors[i], n);
        comma = n != 0 ? ", " : comma;
    }
    fputc('\n', stderr);
}

static void put_text(const struct audit *a, const json_t *coverage)
{
    const json_t *answered = json_object_get(coverage, "answered");
    for (size_t i = 0; i < DETRUN_SOURCES; i++) {
        const json_t *counts = json_object_get(answered, coverage_sources[i]);
        if (counts && is_real(a, i))
            fprintf(stderr, "detrun: %-10s left real (--real)\n", coverage_sources[i]);
        else if (counts) {
            fprintf(stderr, "detrun: %-10s controlled: ", coverage_sources[i]);
            put_doors(counts);
        }
    }
    for (size_t i = 0; i < DETRUN_GAPS; i++) {
        int64_t n = coverage_count(coverage, i);
        const char *what = coverage_advice(i);
        if (n != 0)
            fprintf(stderr, "detrun: %-10s %s: %s %" PRId64 "%s%s\n",
                    coverage_sources[coverage_gaps[i].source], *what ? "not controlled" : "note",
                    coverage_gaps[i].name, n, *what ? "; " : "", what);
    }
}

static void put_json_doors(const json_t *counts)
{
    const char *comma = "";
    for (size_t i = 0; i < COVERAGE_DOORS; i++) {
        int64_t n = record_number(counts, coverage_doors[i], 0);
        if (n != 0)
            fprintf(stderr, "%s\"%s\":%" PRId64, comma, coverage_doors[i], n);
        comma = n != 0 ? "," : comma;
    }
}

static void put_json(const struct audit *a, const json_t *coverage)
{
    const json_t *answered = json_object_get(coverage, "answered");
    const char *comma = "";
    fputs("{\"schema_version\":1,\"sources\":[", stderr);
    for (size_t i = 0; i < DETRUN_SOURCES; i++) {
        const json_t *counts = json_object_get(answered, coverage_sources[i]);
        if (!counts)
            continue;
        fprintf(stderr, "%s{\"source\":\"%s\",\"controlled\":%s,\"answered\":{", comma,
                coverage_sources[i], is_real(a, i) ? "false" : "true");
        put_json_doors(counts);
        fputs("}}", stderr);
        comma = ",";
    }
    fputs("],\"gaps\":[", stderr);
    comma = "";
    for (size_t i = 0; i < DETRUN_GAPS; i++) {
        int64_t n = coverage_count(coverage, i);
        const char *what = coverage_advice(i);
        if (n == 0)
            continue;
        fprintf(stderr,
                "%s{\"gap\":\"%s\",\"source\":\"%s\",\"count\":%" PRId64
                ",\"controlled\":%s,\"advice\":",
                comma, coverage_gaps[i].name, coverage_sources[coverage_gaps[i].source], n,
                *what ? "false" : "true");
        json_put_text(stderr, what);
        fputc('}', stderr);
        comma = ",";
    }
    fputs("]}\n", stderr);
}

static bool is_controlled(const struct audit *a, const json_t *coverage)
{
    for (size_t i = 0; i < DETRUN_GAPS; i++)
        if (coverage_count(coverage, i) != 0 && *coverage_advice(i))
            return false;
    return a->plan.options.real == 0;
}

static int tell(const struct audit *a, int records)
{
    int status = 0;
    json_t *coverage = coverage_read(records, &status);
    if (status >= DETRUN_EXIT_FAILED && status <= DETRUN_EXIT_NOT_FOUND) {
        json_decref(coverage);
        return INCONCLUSIVE; /* it has said why */
    }
    if (!coverage) {
        message_say("audit: the run did not come to its end");
        return COMMAND_USAGE;
    }
    if (a->json)
        put_json(a, coverage);
    else
        put_text(a, coverage);
    bool controlled = is_controlled(a, coverage);
    json_decref(coverage);
    return controlled ? 0 : 1;
}

int tool_audit(char **words)
{
    struct audit a = {.plan = {.name = "audit",
                               .usage = "usage: detrun audit [--format json] [options of detrun "
                                        "run] [--] command [arguments]\n"}};
    int result = plan_parse(&a.plan, words, rows, sizeof(rows) / sizeof(rows[0]));
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    int records = memfd_create("records", 0);
    if (records >= 0 && run(&a.plan, records) == 0)
        return tell(&a, records);
    message_say("audit: cannot start a process: %s", strerror(errno));
    return COMMAND_USAGE;
}
