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

#include "detrun/abi.h"
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

static const char *const sources[] = {
#define X(id, name) name,
    DETRUN_SOURCE_NAMES
#undef X
};

static const char *const doors[] = {"symbol", "vdso", "site", "notify"};

static const struct gap {
    const char *name;
    enum detrun_source source;
} gaps[] = {
#define X(id, source, name) {name, DETRUN_##source},
    DETRUN_GAP_NAMES
#undef X
};

/* What to do; "" where the program saw a controlled answer all the same. */
static const char *const advice[DETRUN_GAPS] = {
    [DETRUN_GAP_NO_SHIM] = "a static program: not all is answered; link it dynamically",
    [DETRUN_GAP_STATIC_DEVICE] = "give --trap-open, so that its random devices are answered",
    [DETRUN_GAP_FOREIGN_ARCH] = "a 32-bit program or one for an emulator: build it for x86-64",
    [DETRUN_GAP_SETUID] = "a setuid program: run it as the user it becomes",
    [DETRUN_GAP_UNPRIVILEGED] = "a setuid program ran without its privileges: run detrun as root",
    [DETRUN_GAP_UNWRITABLE] = "a program file without read permission: give it that",
    [DETRUN_GAP_VDSO_REFUSED] = "detrun doctor says what this machine refuses",
    [DETRUN_GAP_AUXV_REFUSED] = "detrun doctor says what this machine refuses",
    [DETRUN_GAP_TABLE_FULL] = "more tasks at once than detrun knows: split the job",
    [DETRUN_GAP_UNATTRIBUTED] = "a process that detrun did not see start; report it",
    [DETRUN_GAP_PID_COLLISION] = "",
    [DETRUN_GAP_PID_UNTRANSLATED] = "a call by bare instruction with a process id: see limits.md",
    [DETRUN_GAP_THREAD_DB] = "a debugger saw the kernel's ids; its program did not",
    [DETRUN_GAP_PID_OUTSIDE] = "it looks at processes outside the job: start them inside",
    [DETRUN_GAP_MISMATCH] = "two versions of detrun: install one",
    [DETRUN_GAP_NO_MEMORY_MAP] = "no room for the job memory: raise ulimit -v",
    [DETRUN_GAP_GUEST_SILENT] = "the supervisor could not reach a process: detrun doctor",
    [DETRUN_GAP_SPIN_GUARD] = "",
    [DETRUN_GAP_SECCOMP_REFUSED] = "its own filter refused a call of detrun's",
    [DETRUN_GAP_URING_REFUSED] = "",
    [DETRUN_GAP_EARLY_TIMEOUT] = "it computed for long: others' time-outs ended in real time",
    [DETRUN_GAP_KERNEL_TIMEOUT] = "waits of traced or set-uid threads ended in real time",
    [DETRUN_GAP_CPU_TIMER] = "a timer on CPU time is the machine's: use one on real time",
    [DETRUN_GAP_REAL_TIMER] = "a timer was left to the kernel: detrun doctor (pidfd_getfd)",
    [DETRUN_GAP_NETWORK_REFUSED] = "",
    [DETRUN_GAP_SUPERVISOR_RESTARTED] = "",
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

/* @return the coverage record, or NULL: the run did not come to its end */
static json_t *coverage_of(int records, int *status)
{
    struct record_reader r;
    char error[512];
    char path[32];
    json_t *record;
    json_t *coverage = NULL;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", records);
    if (record_reader_open(&r, path, error, sizeof(error)) != 0)
        return NULL;
    while (record_reader_next(&r, &record, error, sizeof(error)) > 0) {
        if (record_is(record, "end"))
            *status = (int)record_number(record, "exit", 0);
        if (record_is(record, "coverage") && !coverage)
            coverage = json_incref(record);
        json_decref(record);
    }
    record_reader_close(&r);
    return coverage;
}

static bool is_real(const struct audit *a, size_t source)
{
    return (a->plan.options.real >> source & 1) != 0;
}

static void put_doors(const json_t *counts)
{
    const char *comma = "";
    for (size_t i = 0; i < sizeof(doors) / sizeof(doors[0]); i++) {
        int64_t n = record_number(counts, doors[i], 0);
        if (n != 0)
            fprintf(stderr, "%s%s %" PRId64, comma, doors[i], n);
        comma = n != 0 ? ", " : comma;
    }
    fputc('\n', stderr);
}

static void put_text(const struct audit *a, const json_t *coverage)
{
    const json_t *answered = json_object_get(coverage, "answered");
    const json_t *open = json_object_get(coverage, "not_controlled");
    for (size_t i = 0; i < DETRUN_SOURCES; i++) {
        const json_t *counts = json_object_get(answered, sources[i]);
        if (counts && is_real(a, i))
            fprintf(stderr, "detrun: %-10s left real (--real)\n", sources[i]);
        else if (counts) {
            fprintf(stderr, "detrun: %-10s controlled: ", sources[i]);
            put_doors(counts);
        }
    }
    for (size_t i = 0; i < DETRUN_GAPS; i++) {
        int64_t n = record_number(open, gaps[i].name, 0);
        const char *what = advice[i] ? advice[i] : "see limits.md";
        if (n != 0)
            fprintf(stderr, "detrun: %-10s %s: %s %" PRId64 "%s%s\n", sources[gaps[i].source],
                    *what ? "not controlled" : "note", gaps[i].name, n, *what ? "; " : "", what);
    }
}

static void put_json_doors(const json_t *counts)
{
    const char *comma = "";
    for (size_t i = 0; i < sizeof(doors) / sizeof(doors[0]); i++) {
        int64_t n = record_number(counts, doors[i], 0);
        if (n != 0)
            fprintf(stderr, "%s\"%s\":%" PRId64, comma, doors[i], n);
        comma = n != 0 ? "," : comma;
    }
}

static void put_json(const struct audit *a, const json_t *coverage)
{
    const json_t *answered = json_object_get(coverage, "answered");
    const json_t *open = json_object_get(coverage, "not_controlled");
    const char *comma = "";
    fputs("{\"schema_version\":1,\"sources\":[", stderr);
    for (size_t i = 0; i < DETRUN_SOURCES; i++) {
        const json_t *counts = json_object_get(answered, sources[i]);
        if (!counts)
            continue;
        fprintf(stderr, "%s{\"source\":\"%s\",\"controlled\":%s,\"answered\":{", comma, sources[i],
                is_real(a, i) ? "false" : "true");
        put_json_doors(counts);
        fputs("}}", stderr);
        comma = ",";
    }
    fputs("],\"gaps\":[", stderr);
    comma = "";
    for (size_t i = 0; i < DETRUN_GAPS; i++) {
        int64_t n = record_number(open, gaps[i].name, 0);
        const char *what = advice[i] ? advice[i] : "see limits.md";
        if (n == 0)
            continue;
        fprintf(stderr,
                "%s{\"gap\":\"%s\",\"source\":\"%s\",\"count\":%" PRId64
                ",\"controlled\":%s,\"advice\":",
                comma, gaps[i].name, sources[gaps[i].source], n, *what ? "false" : "true");
        json_put_text(stderr, what);
        fputc('}', stderr);
        comma = ",";
    }
    fputs("]}\n", stderr);
}

static bool is_controlled(const struct audit *a, const json_t *coverage)
{
    const json_t *open = json_object_get(coverage, "not_controlled");
    for (size_t i = 0; i < DETRUN_GAPS; i++)
        if (record_number(open, gaps[i].name, 0) != 0 && (!advice[i] || *advice[i]))
            return false;
    return a->plan.options.real == 0;
}

static int tell(const struct audit *a, int records)
{
    int status = 0;
    json_t *coverage = coverage_of(records, &status);
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
