/* SPDX-License-Identifier: MIT */
/*
 * detrun selftest: two jobs with one seed give their commands the same answers, another seed gives
 * others. The commands are the system's shell and its tools, and detrun itself, which is static.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "commands.h"
#include "detrun/abi.h"
#include "json.h"
#include "message.h"
#include "probe.h"

#define SEED       "4242"
#define OTHER_SEED "4243"
#define RUN_ID     "selftest_seed" SEED
#define READS      5
#define RANDOM     16

/* Each answer is a line: a label, a blank, a text. */
static const char script[] =
    "echo \"seed $" DETRUN_ENV_SEED "\"; echo \"run_id selftest_seed$" DETRUN_ENV_SEED "\"\n"
    "for n in 0 1 2 3 4; do echo \"sequence T00000$n $(date +%s%N)\"; done\n"
    "echo \"clock $(date -u)\"; echo \"pid $$ $PPID\"\n"
    "echo \"random $(od -An -v -tx1 -N16 /dev/urandom)\"\n"
    "env | sort | while read -r line; do echo \"environment $line\"; done\n";

static const char *const labels[] = {"seed",        "run_id", "sequence", "clock",
                                     "environment", "random", "pid"};
#define LABELS (sizeof(labels) / sizeof(labels[0]))
static const char *const seeded[] = {"random", "pid"};

struct selftest {
    bool quiet;
    bool no_supervisor;
    bool json;
    char self[PATH_MAX];
};

static bool said_any; /* in JSON: a comma comes next */

struct outputs {
    char *first;
    char *again;
    char *other; /**< of another seed */
};

static int compare_entries(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_environment(void)
{
    size_t n = 0;
    while (environ[n])
        n++;
    qsort(environ, n, sizeof(*environ), compare_entries);
    for (size_t i = 0; i < n; i++)
        printf("environment %s\n", environ[i]);
}

static void print_random(void)
{
    uint8_t bytes[RANDOM] = {0};
    fputs("random", stdout);
    if (syscall(SYS_getrandom, bytes, sizeof(bytes), 0) == sizeof(bytes))
        for (size_t i = 0; i < sizeof(bytes); i++)
            printf(" %02x", bytes[i]);
    putchar('\n');
}

int command_answers(char **words)
{
    const char *seed = getenv(DETRUN_ENV_SEED);
    struct timespec now;
    if (words[0])
        return COMMAND_USAGE;
    printf("seed %s\nrun_id selftest_seed%s\n", seed ? seed : "", seed ? seed : "");
    for (int i = 0; i < READS; i++) {
        clock_gettime(CLOCK_REALTIME, &now);
        printf("sequence T%06d %lld%09ld\n", i, (long long)now.tv_sec, now.tv_nsec);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("clock %lld.%09ld %lld\n", (long long)now.tv_sec, now.tv_nsec, (long long)time(NULL));
    printf("pid %d %d\n", getpid(), getppid());
    print_random();
    print_environment();
    return 0;
}

static void say(const struct selftest *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line is a result, blanks and a text. */
static void say_json(const char *line)
{
    size_t result = strcspn(line, " ");
    printf("%s{\"result\": \"%.*s\", \"text\": ", said_any ? ", " : "", (int)result, line);
    json_put_text(stdout, line + result + strspn(line + result, " "));
    putchar('}');
    said_any = true;
}

static void say(const struct selftest *t, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (t->quiet)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (t->json)
        say_json(line);
    else
        puts(line);
    fflush(stdout);
}

static bool is_setting(const char *entry)
{
    return strncmp(entry, "E2E_", 4) == 0 || strncmp(entry, "DETRUN_", 7) == 0 ||
           strncmp(entry, "SOURCE_DATE_EPOCH=", 18) == 0;
}

/* What the user set for his own jobs is not for these. */
static void forget_settings(void)
{
    char **to = environ;
    for (char **from = environ; *from; from++)
        if (!is_setting(*from))
            *to++ = *from;
    *to = NULL;
}

static _Noreturn void become_job(const struct selftest *t, const char *seed, char *const *command,
                                 int out)
{
    char *words[16] = {
        (char *)(size_t)t->self, "-q", "--test-name", "selftest", "--timeout", "60", "--seed",
        (char *)(size_t)seed};
    size_t n = 8;
    if (t->no_supervisor)
        words[n++] = "--no-supervisor";
    words[n++] = "--";
    while (*command)
        words[n++] = *command++;
    words[n] = NULL;
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execv(t->self, words);
    _exit(DETRUN_EXIT_FAILED);
}

static char *read_all(int fd)
{
    AUTO_FCLOSE FILE *in = fdopen(fd, "r");
    char *text = NULL;
    size_t size = 0;
    if (!in)
        close(fd);
    if (in && getdelim(&text, &size, '\0', in) >= 0)
        return text;
    free(text);
    return strdup("");
}

/* @return what it printed, or NULL: it cannot be run */
static char *run_job_once(const struct selftest *t, const char *seed, char *const *command)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    int pid = fork();
    if (pid == 0)
        become_job(t, seed, command, ends[1]);
    close(ends[1]);
    char *text = read_all(ends[0]);
    int status = probe_wait(pid);
    if (status == 0)
        return text;
    size_t line = strcspn(text ? text : "", "\n");
    say(t, "FAILED   %s ends with status %d: %.*s", command[0], status, (int)line,
        text ? text : "");
    free(text);
    return NULL;
}

/* The n-th line with this label. @return its text, of this length; NULL: there is none */
static const char *find(const char *text, const char *label, unsigned n, size_t *length)
{
    size_t size = strlen(label);
    for (const char *line = text; *line; line += *line == '\n') {
        size_t end = strcspn(line, "\n");
        if (end > size + 1 && strncmp(line, label, size) == 0 && line[size] == ' ' && n-- == 0) {
            *length = end - size - 1;
            return line + size + 1;
        }
        line += end;
    }
    return NULL;
}

static bool are_equal(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a && b && a_length == b_length && memcmp(a, b, a_length) == 0;
}

static int differ(const struct selftest *t, const char *kind, const char *label, const char *a,
                  size_t a_length, const char *b, size_t b_length)
{
    say(t, "FAILED   %s: %s: \"%.*s\" in one run, \"%.*s\" in the other", kind, label,
        (int)a_length, a ? a : "", (int)b_length, b ? b : "");
    return 1;
}

static int check_label(const struct selftest *t, const char *kind, const char *label,
                       const struct outputs *o)
{
    unsigned n = 0;
    for (;; n++) {
        size_t a_length = 0;
        size_t b_length = 0;
        const char *a = find(o->first, label, n, &a_length);
        const char *b = find(o->again, label, n, &b_length);
        if (!a && !b)
            break;
        if (!are_equal(a, a_length, b, b_length))
            return differ(t, kind, label, a, a_length, b, b_length);
    }
    if (n == 0)
        say(t, "FAILED   %s: %s: no answer", kind, label);
    else
        say(t, "ok       %s: %s", kind, label);
    return n == 0;
}

static int check_run_id(const struct selftest *t, const char *kind, const char *text)
{
    size_t length = 0;
    const char *id = find(text, "run_id", 0, &length);
    if (are_equal(id, length, RUN_ID, strlen(RUN_ID)))
        return 0;
    say(t, "FAILED   %s: run_id: \"%.*s\" instead of \"%s\"", kind, (int)length, id ? id : "",
        RUN_ID);
    return 1;
}

static int check_other(const struct selftest *t, const char *kind, const char *label,
                       const struct outputs *o)
{
    size_t a_length = 0;
    size_t b_length = 0;
    const char *a = find(o->first, label, 0, &a_length);
    const char *b = find(o->other, label, 0, &b_length);
    bool equal = are_equal(a, a_length, b, b_length);
    if (equal)
        say(t, "FAILED   %s: %s: \"%.*s\" with another seed, too", kind, label, (int)a_length, a);
    else
        say(t, "ok       %s: %s of another seed", kind, label);
    return equal;
}

static int check_all(const struct selftest *t, const char *kind, const struct outputs *o)
{
    if (!o->first || !o->again || !o->other)
        return 1;
    int failed = check_run_id(t, kind, o->first);
    for (size_t i = 0; !failed && i < LABELS; i++)
        failed = check_label(t, kind, labels[i], o);
    for (size_t i = 0; !failed && i < sizeof(seeded) / sizeof(seeded[0]); i++)
        failed = check_other(t, kind, seeded[i], o);
    return failed;
}

static int check_program(const struct selftest *t, const char *kind, char *const *command)
{
    AUTO_FREE char *first = run_job_once(t, SEED, command);
    AUTO_FREE char *again = first ? run_job_once(t, SEED, command) : NULL;
    AUTO_FREE char *other = again ? run_job_once(t, OTHER_SEED, command) : NULL;
    struct outputs o = {first, again, other};
    return check_all(t, kind, &o);
}

/* @return why static programs are the kernel's here, or NULL: they are not */
static const char *not_covered(const struct selftest *t, struct probe_result *r)
{
    if (t->no_supervisor)
        return "--no-supervisor leaves static programs to the kernel";
    probe_run(probe_proc, r);
    if (r->state != PROBE_OK)
        return r->detail;
    probe_run(probe_listener, r);
    if (r->state != PROBE_OK)
        return r->detail;
    probe_run(probe_sibling_memory, r);
    return r->state == PROBE_OK ? NULL : r->detail;
}

static int read_words(struct selftest *t, char **words)
{
    for (; *words; words++)
        if (strcmp(*words, "-q") == 0 || strcmp(*words, "--quiet") == 0) {
            t->quiet = true;
        } else if (strcmp(*words, "--no-supervisor") == 0) {
            t->no_supervisor = true;
        } else if (strcmp(*words, "--format") == 0 && words[1] && strcmp(words[1], "json") == 0) {
            t->json = true;
            words++;
        } else {
            message_say("selftest: \"%s\": give -q, --no-supervisor, --format json or nothing",
                        *words);
            return -EINVAL;
        }
    return 0;
}

int command_selftest(char **words)
{
    struct selftest t = {0};
    struct probe_result r;
    if (read_words(&t, words) != 0)
        return COMMAND_USAGE;
    if (readlink("/proc/self/exe", t.self, sizeof(t.self) - 1) < 0) {
        message_say("selftest: cannot find myself: %s", strerror(errno));
        return COMMAND_USAGE;
    }
    forget_settings();
    if (t.json)
        fputs("{\"schema_version\": 1, \"command\": \"selftest\", \"checks\": [", stdout);
    int failed = check_program(&t, "dynamic", (char *[]){"sh", "-c", (char *)(size_t)script, NULL});
    const char *reason = not_covered(&t, &r);
    if (reason)
        say(&t, "skipped  static: %s", reason);
    else if (!failed)
        failed = check_program(&t, "static", (char *[]){t.self, "selftest-answers", NULL});
    if (t.json)
        printf("], \"verdict\": \"%s\", \"status\": %d}\n", failed ? "failed" : "same", failed);
    return failed;
}
