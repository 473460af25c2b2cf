/* SPDX-License-Identifier: MIT */
#include "repeat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "environment.h"
#include "message.h"
#include "real.h"
#include "tools.h"

#define SHOWN_MAX    65536 /* of the output of the first run that failed */
#define FAILURES_MAX 3     /* that are told one by one: the others are in the records */

struct driver {
    struct repeat repeat;
    struct job job;
    struct tally tally;
    struct iteration *window; /**< runs under way, and those that wait for earlier ones */
    uint64_t begun;           /**< number of the last one that was started */
    uint64_t told;            /**< number of the last one that was recorded */
    uint64_t started_ns;
    unsigned shown; /**< failures */
    bool failed;    /**< no run could be started */
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    interrupted = signal_number;
}

/* Without SA_RESTART: the wait for a run ends. */
static void watch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = interrupt}, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static struct iteration *slot(struct driver *d, uint64_t number)
{
    return &d->window[number % d->repeat.jobs];
}

static bool may_begin(const struct driver *d)
{
    const struct repeat *r = &d->repeat;
    bool more = r->count == 0 || d->begun < r->count;
    return more && !interrupted && !d->failed && d->begun - d->told < r->jobs;
}

static void begin_next(struct driver *d)
{
    struct iteration *i = slot(d, ++d->begun);
    *i = (struct iteration){.number = d->begun};
    i->seed = d->repeat.vary_seed ? iteration_seed(&d->repeat.options, i->number) : 0;
    int error = iteration_start(i, &d->repeat);
    if (!error)
        return;
    message_say("cannot start run %" PRIu64 ": %s", i->number, strerror(-error));
    iteration_close(i);
    d->begun--;
    d->failed = true;
}

static void copy_out(int fd)
{
    char buffer[4096];
    ssize_t n;
    size_t left = SHOWN_MAX;
    lseek(fd, 0, SEEK_SET);
    while (left > 0 && (n = read(fd, buffer, left < sizeof(buffer) ? left : sizeof(buffer))) > 0) {
        fwrite(buffer, 1, (size_t)n, stderr);
        left -= (size_t)n;
    }
    if (left == 0)
        fputs("\n[cut]\n", stderr);
}

/* What the first one that failed wrote, and how each one is repeated. */
static void show_failure(struct driver *d, const struct iteration *i)
{
    if (d->shown++ >= FAILURES_MAX)
        return;
    progress_clear();
    message_say("run %" PRIu64 " %s: %s", i->number,
                i->outcome == RUN_FAILED ? "failed" : "ended in an error",
                *i->reason ? i->reason : "no word of its end");
    if (*i->reproduce)
        fprintf(stderr, "detrun: to repeat: %s\n", i->reproduce);
    if (d->shown > 1)
        return;
    copy_out(i->out);
    copy_out(i->err);
}

static bool is_unsuccessful(const struct iteration *i)
{
    return i->outcome == RUN_FAILED || i->outcome == RUN_ERRORED;
}

/* With another seed each time one failure says nothing yet: is it there again? */
static void try_again(struct driver *d, const struct iteration *failed)
{
    struct iteration again = {.number = failed->number, .seed = failed->seed};
    int status = 0;
    if (iteration_start(&again, &d->repeat) == 0) {
        while (waitpid(again.pid, &status, 0) < 0 && errno == EINTR && !interrupted)
            ;
        iteration_end(&again, status);
        if (iteration_same_end(&again, failed))
            d->tally.failed_again++;
        else
            d->tally.failed_otherwise++;
    }
    iteration_close(&again);
}

/* In the order of their numbers, whichever ended first. */
static void tell_next(struct driver *d)
{
    struct iteration *i = slot(d, ++d->told);
    tally_add(&d->tally, i, &d->repeat);
    repeat_record_iteration(&d->job, i, &d->repeat);
    if (is_unsuccessful(i)) {
        show_failure(d, i);
        if (d->repeat.vary_seed)
            try_again(d, i);
        if (d->repeat.until_failure)
            d->repeat.count = d->told;
    }
    iteration_close(i);
    progress_show(&d->tally, &d->repeat, d->started_ns);
}

static void kill_all(struct driver *d, int signal_number)
{
    for (uint64_t number = d->told + 1; number <= d->begun; number++)
        if (slot(d, number)->pid > 0)
            kill(slot(d, number)->pid, signal_number);
}

static void reap_one(struct driver *d)
{
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    for (uint64_t number = d->told + 1; pid > 0 && number <= d->begun; number++)
        if (slot(d, number)->pid == pid)
            iteration_end(slot(d, number), status);
}

/* Those behind the one that was the last are of no interest. */
static bool is_over(const struct driver *d)
{
    bool enough = d->repeat.count != 0 && d->told >= d->repeat.count;
    return interrupted || enough || (d->failed && d->told == d->begun);
}

static void drop_rest(struct driver *d)
{
    kill_all(d, SIGTERM);
    for (uint64_t number = d->told + 1; number <= d->begun; number++) {
        struct iteration *i = slot(d, number);
        while (i->pid > 0 && waitpid(i->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        iteration_close(i);
    }
}

static void run_all(struct driver *d)
{
    d->started_ns = (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
    while (!is_over(d)) {
        while (may_begin(d))
            begin_next(d);
        if (d->told < d->begun)
            reap_one(d);
        while (d->told < d->begun && slot(d, d->told + 1)->ended && !is_over(d))
            tell_next(d);
    }
    drop_rest(d);
    progress_clear();
}

static int open_records(struct driver *d, char *error, size_t room)
{
    struct options *o = &d->repeat.options;
    void *memory = mmap(NULL, sizeof(struct detrun_memory), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        snprintf(error, room, "cannot map memory: %s", strerror(errno));
        return -1;
    }
    d->job = (struct job){.options = o, .memory = memory, .memory_fd = -1, .command = o->command};
    job_fill_params(&d->job.memory->params, o);
    d->job.environment = environment_build(o, &d->job.memory->params, false);
    if (!d->job.environment) {
        snprintf(error, room, "out of memory");
        return -1;
    }
    command_find(&d->job.program, o->command[0]);
    if (run_record_open(&d->job, error, room) != 0)
        return -1;
    return run_record_start(&d->job, error, room);
}

static int prepare(struct driver *d)
{
    char error[1024];
    const struct repeat *r = &d->repeat;
    d->window = calloc(r->jobs, sizeof(*d->window));
    if (r->keep && mkdir(r->keep, 0700) != 0 && errno != EEXIST) {
        message_say("--keep: cannot make \"%s\": %s", r->keep, strerror(errno));
        return -1;
    }
    if (d->window && open_records(d, error, sizeof(error)) == 0)
        return 0;
    message_say("%s", d->window ? error : "out of memory");
    return -1;
}

static void tell_verdict(struct driver *d)
{
    char text[512];
    char error[512];
    const struct tally *t = &d->tally;
    const char *verdict = tally_verdict(t, &d->repeat, text, sizeof(text));
    printf("%s: %s\n", verdict, text);
    printf("%" PRIu64 " runs: %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
           " ended in an error, %" PRIu64 " skipped; job seed %" PRIu64 "\n",
           t->runs, t->outcomes[RUN_PASSED], t->outcomes[RUN_FAILED], t->outcomes[RUN_ERRORED],
           t->outcomes[RUN_SKIPPED], d->repeat.options.seed.number);
    repeat_record_verdict(&d->job, t, &d->repeat);
    if (!run_record_is_whole(&d->job, error, sizeof(error)))
        message_say("%s", error);
}

int tool_repeat(char **words)
{
    struct driver d = {0};
    int result = repeat_parse(&d.repeat, words);
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (prepare(&d) != 0)
        return COMMAND_USAGE;
    watch_signals();
    run_all(&d);
    tell_verdict(&d);
    if (interrupted) {
        fflush(stdout);
        signal(interrupted, SIG_DFL);
        raise(interrupted);
    }
    return d.failed ? COMMAND_USAGE : tally_status(&d.tally);
}
