/* SPDX-License-Identifier: MIT */
#include "iteration.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"
#include "real.h"
#include "record_reader.h"
#include "run.h"
#include "watch.h"

#define OWN_WORDS 11
#define ROOM      65536

const char *iteration_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static int open_nameless(void)
{
    const char *folder = iteration_folder();
    char path[DETRUN_PATH_SIZE];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    snprintf(path, sizeof(path), "%s/detrun-XXXXXX", folder);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static int open_kept(const char *folder, uint64_t number, const char *kind)
{
    char path[DETRUN_PATH_SIZE];
    snprintf(path, sizeof(path), "%s/%" PRIu64 ".%s", folder, number, kind);
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* A full disk is an error of the program's writes, and not of the program: there has to be room for
 * more than it wrote. */
static bool has_room(int fd)
{
    off_t end = lseek(fd, 0, SEEK_END);
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, end, ROOM) == 0)
        return ftruncate(fd, end) == 0;
    return errno != ENOSPC && errno != EDQUOT;
}

static int open_files(struct iteration *i, const struct plan *p)
{
    i->out = p->keep ? open_kept(p->keep, i->number, "out") : open_nameless();
    i->err = p->keep ? open_kept(p->keep, i->number, "err") : open_nameless();
    i->records = open_nameless();
    i->trace = !p->traces ? -1 : p->keep ? open_kept(p->keep, i->number, "trace") : open_nameless();
    if (i->out < 0 || i->err < 0 || i->records < 0)
        return -errno;
    return has_room(i->out) && has_room(i->records) ? 0 : -ENOSPC;
}

uint64_t iteration_seed(const struct options *o, uint64_t number)
{
    char name[64];
    snprintf(name, sizeof(name), "detrun:iteration:%" PRIu64, number);
    return seed_for_test(&o->seed, name);
}

static char *word(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *word(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int n = vasprintf(&text, format, list);
    va_end(list);
    return n < 0 ? NULL : text;
}

static char *seed_word(const struct job_seed *seed)
{
    if (seed->encoding == SEED_TEXT)
        return word("--seed=%s", seed->text);
    return word("--seed=%" PRIu64, seed->number);
}

static size_t count_words(char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

/* Of two words for one setting the later one counts. */
static char **build_command(const struct iteration *i, const struct plan *p)
{
    size_t others = count_words(p->words);
    size_t n = count_words(p->options.command);
    char *own[] = {
        seed_word(&i->seed),
        word("--seed-encoding=%s", seed_encoding_names[i->seed.encoding]),
        word("--epoch=%" PRId64, p->options.epoch_ns / 1000000000),
        word("--run-number=%" PRIu64, i->number),
        word("--record=fd:%d", i->records),
        word("--quiet"),
        i->trace > 0 ? word("--trace=fd:%d", i->trace) : word("--quiet"),
        word("--"),
    };
    char **argv = calloc(others + n + OWN_WORDS, sizeof(*argv));
    for (size_t k = 0; k < sizeof(own) / sizeof(own[0]); k++)
        if (!own[k])
            return NULL;
    if (!argv)
        return NULL;
    argv[0] = p->self;
    argv[1] = word("run");
    memcpy(argv + 2, p->words, others * sizeof(*argv));
    memcpy(argv + 2 + others, own, sizeof(own));
    memcpy(argv + 2 + others + sizeof(own) / sizeof(own[0]), p->options.command, n * sizeof(*argv));
    return argv[1] ? argv : NULL;
}

/* In the process of the run, so that nothing of its command stays behind in this one. */
static _Noreturn void become_run(const struct iteration *i, const struct plan *p)
{
    char **argv = build_command(i, p);
    int null = open("/dev/null", O_RDONLY);
    /* kill -9 of us must not leave it behind. */
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    watch_give_back();
    dup2(null, STDIN_FILENO);
    dup2(i->out, STDOUT_FILENO);
    dup2(i->err, STDERR_FILENO);
    fcntl(i->records, F_SETFD, 0);
    if (i->trace > 0)
        fcntl(i->trace, F_SETFD, 0);
    if (p->vary)
        p->vary(i);
    if (argv)
        execv(argv[0], argv);
    _exit(DETRUN_EXIT_FAILED);
}

int iteration_start(struct iteration *i, const struct plan *p)
{
    int error = open_files(i, p);
    i->started_ns = (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
    i->pid = error ? -1 : fork();
    if (i->pid == 0)
        become_run(i, p);
    if (!error && i->pid < 0)
        error = -errno;
    if (error)
        i->pid = 0;
    return error;
}

void iteration_say_no_room(const struct iteration *i, const struct plan *p)
{
    message_say("run %" PRIu64
                ": its output does not fit into %s, which is full; make room, or give "
                "another folder with %s",
                i->number, p->keep ? p->keep : iteration_folder(), p->keep ? "--keep" : "TMPDIR");
}

void iteration_stop(const struct iteration *i)
{
    if (i->pid > 0)
        sigqueue(i->pid, SIGTERM, (union sigval){.sival_int = RUN_END_JOB});
}

static void take_end(struct iteration *i, const json_t *record)
{
    const char *result = record_text(record, "result", "");
    i->status = (int)record_number(record, "exit", -1);
    i->signal = (int)record_number(record, "signal", 0);
    for (int outcome = RUN_PASSED; outcome <= RUN_SKIPPED; outcome++)
        if (strcmp(result, run_outcome_names[outcome]) == 0)
            i->outcome = (enum run_outcome)outcome;
    snprintf(i->inputs, sizeof(i->inputs), "%s", record_text(record, "input_digest", ""));
}

static void take_failure(struct iteration *i, const json_t *record)
{
    if (i->reason[0] == '\0')
        snprintf(i->reason, sizeof(i->reason), "%s", record_text(record, "reason", ""));
    snprintf(i->reproduce, sizeof(i->reproduce), "%s", record_text(record, "reproduce", ""));
}

/* A path, because the reader takes one. */
static void read_records(struct iteration *i)
{
    struct record_reader r;
    char error[512];
    char path[32];
    json_t *record;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", i->records);
    if (record_reader_open(&r, path, error, sizeof(error)) != 0)
        return;
    while (record_reader_next(&r, &record, error, sizeof(error)) > 0) {
        if (record_is(record, "end"))
            take_end(i, record);
        else if (record_is(record, "failure"))
            take_failure(i, record);
        json_decref(record);
    }
    record_reader_close(&r);
}

static void digest(int fd, char text[DIGEST_TEXT])
{
    lseek(fd, 0, SEEK_SET);
    digest_descriptor(fd, text, NULL);
}

void iteration_end(struct iteration *i, int status)
{
    i->duration_ns = (uint64_t)real_clock_ns(CLOCK_MONOTONIC) - i->started_ns;
    i->pid = 0;
    i->ended = true;
    /* Unless its records say otherwise: then the launcher was killed. */
    i->outcome = RUN_ERRORED;
    i->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    i->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    i->no_room = !has_room(i->out) || !has_room(i->records);
    read_records(i);
    digest(i->out, i->out_digest);
    digest(i->err, i->err_digest);
}

static void close_one(int *fd)
{
    if (*fd > 0)
        close(*fd);
    *fd = -1;
}

void iteration_close(struct iteration *i)
{
    close_one(&i->out);
    close_one(&i->err);
    close_one(&i->records);
    close_one(&i->trace);
}

bool iteration_is_unsuccessful(const struct iteration *i)
{
    return i->outcome == RUN_FAILED || i->outcome == RUN_ERRORED;
}

bool iteration_was_run(const struct iteration *i)
{
    bool refused = i->status >= DETRUN_EXIT_FAILED && i->status <= DETRUN_EXIT_NOT_FOUND;
    return i->outcome != RUN_SKIPPED && !(i->signal == 0 && refused);
}

bool iteration_same_end(const struct iteration *a, const struct iteration *b)
{
    return a->outcome == b->outcome && a->status == b->status && a->signal == b->signal;
}

bool iteration_same_output(const struct iteration *a, const struct iteration *b)
{
    return strcmp(a->out_digest, b->out_digest) == 0 && strcmp(a->err_digest, b->err_digest) == 0;
}
