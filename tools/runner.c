/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <inttypes.h>
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
#include "watch.h"

#define SHOWN_MAX 65536

static struct iteration *slot(struct runner *r, uint64_t number)
{
    return &r->window[number % r->plan->jobs];
}

static uint64_t last(const struct runner *r)
{
    return r->plan->count ? r->first + r->plan->count : UINT64_MAX;
}

static bool may_begin(const struct runner *r)
{
    return r->begun < last(r) && !r->enough && !r->failed && r->begun - r->told < r->plan->jobs &&
           !watch_interrupted();
}

static void begin_next(struct runner *r)
{
    struct iteration *i = slot(r, ++r->begun);
    *i = (struct iteration){.number = r->begun, .seed = r->plan->options.seed};
    if (r->choose)
        r->choose(r, i);
    int error = iteration_start(i, r->plan);
    if (!error)
        return;
    message_say("cannot start run %" PRIu64 ": %s; its output goes to %s", i->number,
                strerror(-error), r->plan->keep ? r->plan->keep : iteration_folder());
    iteration_close(i);
    r->begun--;
    r->failed = true;
}

static void show_progress(const struct runner *r)
{
    static uint64_t shown_ns;
    uint64_t now = (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
    uint64_t done = r->told - r->first;
    double rate = (double)done * 1e9 / (double)(now - r->started_ns + 1);
    if (!isatty(STDERR_FILENO) || now - shown_ns < 100000000)
        return;
    shown_ns = now;
    fprintf(stderr, "\r%" PRIu64, r->told);
    if (r->plan->count)
        fprintf(stderr, "/%" PRIu64, last(r));
    fprintf(stderr, " runs, %" PRIu64 " failed, %.1f a second", r->unsuccessful, rate);
    if (r->plan->count && rate > 0)
        fprintf(stderr, ", %.0f s left", (double)(last(r) - r->told) / rate);
    fputs("\x1b[K", stderr);
}

void runner_clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\x1b[K", stderr);
}

/* In the order of their numbers, whichever ended first. */
static void tell_next(struct runner *r)
{
    struct iteration *i = slot(r, r->told + 1);
    if (i->no_room) {
        runner_clear_progress();
        iteration_say_no_room(i, r->plan);
        r->enough = r->failed = true;
        return;
    }
    r->told++;
    r->unsuccessful += iteration_is_unsuccessful(i);
    r->enough = !r->tell(r, i);
    iteration_close(i);
    show_progress(r);
}

static void reap_one(struct runner *r)
{
    int status;
    pid_t pid = watch_wait(-1, &status);
    for (uint64_t number = r->told + 1; pid > 0 && number <= r->begun; number++)
        if (slot(r, number)->pid == pid)
            iteration_end(slot(r, number), status);
}

static bool is_over(const struct runner *r)
{
    return watch_interrupted() || r->enough || r->told == last(r) ||
           (r->failed && r->told == r->begun);
}

/* Those behind the last one that counts are of no interest. All hear it before one is waited for.
 */
static void drop_rest(struct runner *r)
{
    for (uint64_t number = r->told + 1; number <= r->begun; number++)
        iteration_stop(slot(r, number));
    for (uint64_t number = r->told + 1; number <= r->begun; number++) {
        struct iteration *i = slot(r, number);
        while (i->pid > 0 && waitpid(i->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        iteration_close(i);
    }
}

void runner_run(struct runner *r)
{
    watch_begin();
    r->begun = r->told = r->first;
    r->started_ns = (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
    while (!is_over(r)) {
        while (may_begin(r))
            begin_next(r);
        if (r->told < r->begun)
            reap_one(r);
        while (r->told < r->begun && slot(r, r->told + 1)->ended && !is_over(r))
            tell_next(r);
    }
    drop_rest(r);
    runner_clear_progress();
}

static void show(int fd)
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

void runner_show_output(const struct iteration *i)
{
    show(i->out);
    show(i->err);
}

static int open_records(struct runner *r, char *error, size_t room)
{
    struct options *o = &r->plan->options;
    void *memory = mmap(NULL, sizeof(struct detrun_memory), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        snprintf(error, room, "cannot map memory: %s", strerror(errno));
        return -1;
    }
    r->job = (struct job){.options = o, .memory = memory, .memory_fd = -1, .command = o->command};
    job_fill_params(&r->job.memory->params, o);
    r->job.environment = environment_build(o, &r->job.memory->params, false);
    command_find(&r->job.program, o->command[0]);
    if (!r->job.environment) {
        snprintf(error, room, "out of memory");
        return -1;
    }
    if (run_record_open(&r->job, error, room) != 0)
        return -1;
    return run_record_start(&r->job, error, room);
}

int runner_prepare(struct runner *r)
{
    char error[1024];
    const struct plan *p = r->plan;
    r->window = calloc(p->jobs, sizeof(*r->window));
    if (p->keep && mkdir(p->keep, 0700) != 0 && errno != EEXIST) {
        message_say("--keep: cannot make \"%s\": %s", p->keep, strerror(errno));
        return -1;
    }
    if (r->window && open_records(r, error, sizeof(error)) == 0)
        return 0;
    message_say("%s", r->window ? error : "out of memory");
    return -1;
}
