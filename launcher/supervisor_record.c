/* SPDX-License-Identifier: MIT */
/*
 * What libdetrun asks for in the name of its program: records, totals of the job, what is known of
 * it; and for images without shim the beginning of a test.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "cleanup.h"
#include "guest.h"
#include "json.h"
#include "lineage.h"
#include "record.h"
#include "supervisor.h"

#define EVENT_MAX 32

long record_begin_test(struct question *q)
{
    struct detrun_begin test;
    int error = guest_read((int32_t)q->request->pid, q->args[2], &test, sizeof(test));
    if (error)
        return supervisor_unreachable(q, error);
    lineage_begin(q->m, q->task, test.key);
    return 0;
}

/* The launcher of a job inside another is a guest like others. */
static int descriptor_of(struct supervisor_job *job)
{
    int32_t number = job->memory->params.record_fd;
    if (job->record_fd == 0 && number != 0 && job->outer)
        job->record_fd = guest_copy_descriptor(job->launcher, number);
    else if (job->record_fd == 0)
        job->record_fd = number;
    return job->record_fd > 0 ? job->record_fd : -ENOTCONN;
}

/* @return the length of the event's name, 0: that is none */
static size_t name_length(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    return n <= EVENT_MAX && text[n] == '\n' ? n : 0;
}

/* The guests may write to the job memory: what the launcher put there is read with care. */
static void put_repeat(FILE *out, const struct detrun_memory *m, uint64_t iteration)
{
    const char *options = m->repeat;
    size_t n = strnlen(options, sizeof(m->repeat) - 1);
    const char *command = options + n + 1;
    size_t left = sizeof(m->repeat) - n - 1;
    AUTO_FREE char *line = NULL;
    char number[40] = "";
    if (iteration)
        snprintf(number, sizeof(number), " --iteration=%" PRIu64, iteration);
    if (n == 0 || asprintf(&line, "%.*s%s%.*s", (int)n, options, number,
                           (int)strnlen(command, left), command) < 0)
        line = NULL;
    record_put_text(out, "reproduce", line ? line : "");
}

static long write_record(struct question *q, int fd, char *text)
{
    struct record r;
    size_t n = name_length(text);
    if (n == 0 || !json_is_text(text + n + 1))
        return -EINVAL;
    text[n] = '\0';
    if (record_begin(&r, &q->m->params, q->task->place, q->task->records, text) != 0)
        return -ENOMEM;
    if (text[n + 1] != '\0')
        fprintf(r.out, ",%s", text + n + 1);
    if (strcmp(text, "failure") == 0)
        put_repeat(r.out, q->m, q->args[4]);
    if (strcmp(text, "call") == 0)
        calls_keep(q->m, q->task->place, q->task->records, text + n + 1);
    int error = record_end(&r, q->m, fd);
    q->task->records += error == 0;
    return error;
}

long record_write(struct question *q)
{
    static char text[DETRUN_RECORD_SIZE + 1];
    int fd = descriptor_of(q->job);
    size_t length = q->args[3];
    if (fd < 0)
        return fd;
    if (length > DETRUN_RECORD_SIZE)
        return -EMSGSIZE;
    int error = guest_read((int32_t)q->request->pid, q->args[2], text, length);
    text[length] = '\0';
    return error ? supervisor_unreachable(q, error) : write_record(q, fd, text);
}

long record_count(struct question *q)
{
    uint64_t which = q->args[2];
    if (which >= DETRUN_COUNTERS)
        return -EINVAL;
    uint64_t sum = atomic_fetch_add(&q->m->shared.counters[which], q->args[3]) + q->args[3];
    int error = guest_write(q, q->args[4], &sum, sizeof(sum));
    return error ? supervisor_unreachable(q, error) : 0;
}

long record_tell(struct question *q)
{
    const struct detrun_params *p = &q->m->params;
    struct detrun_info info = {
        .size = sizeof(info),
        .flags = (descriptor_of(q->job) > 0 ? DETRUN_INFO_RECORDS : 0) |
                 (p->flags & DETRUN_FLAG_JOB_CLOCK ? DETRUN_INFO_JOB_CLOCK : 0) |
                 (p->flags & DETRUN_FLAG_REAL_TIME ? DETRUN_INFO_REAL_TIME : 0),
        .real = p->real,
        .epoch_ns = p->epoch_ns,
        .mono_step_ns = p->step_ns[DETRUN_FAMILY_MONO],
        .job_seed = p->job_seed,
        .test_seed = p->test_seed,
        .step_ns = p->step_ns[DETRUN_FAMILY_WALL],
        .max_examples = p->max_examples,
        .seed_encoding = p->seed_encoding,
        .iteration = p->iteration,
        .only_iteration = p->only_iteration,
        .lineage = q->task->lineage,
    };
    size_t size = q->args[3] < sizeof(info) ? q->args[3] : sizeof(info);
    memcpy(info.task, q->task->place, sizeof(q->task->place));
    memcpy(info.test_name, p->test_name, sizeof(info.test_name));
    memcpy(info.seed_text, p->seed_text, sizeof(info.seed_text));
    int error = guest_write(q, q->args[2], &info, size);
    return error ? supervisor_unreachable(q, error) : (long)size;
}
