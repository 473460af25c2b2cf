/* SPDX-License-Identifier: MIT */
/*
 * The job's trace: its file for the shims, and the events of those who have none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest.h"
#include "lineage.h"
#include "supervisor.h"
#include "trace.h"
#include "trace_file.h"

/* The launcher of a job inside another is a guest like others. @return 0 or less: none */
static int descriptor_of(struct supervisor_job *job)
{
    const struct detrun_params *p = &job->memory->params;
    if (!(p->flags & DETRUN_FLAG_TRACE))
        return -ENOENT;
    if (job->trace_fd == 0)
        job->trace_fd =
            job->outer ? guest_copy_descriptor(job->launcher, p->trace_fd) : p->trace_fd;
    return job->trace_fd;
}

long trace_send(struct question *q)
{
    int fd = descriptor_of(q->job);
    return fd > 0 ? supervisor_send_descriptor(q, fd, O_CLOEXEC) : -ENOENT;
}

long trace_grow(struct question *q)
{
    int fd = descriptor_of(q->job);
    return fd > 0 ? trace_file_grow(q->m, fd) : -ENOENT;
}

static int grow(const struct trace_file *file)
{
    return trace_file_grow(file->memory, file->fd);
}

/* @return false: there is none */
static bool find_file(struct supervisor_job *job, struct trace_file *file)
{
    int fd = descriptor_of(job);
    if (fd > 0 && !job->trace)
        job->trace = trace_file_map(fd);
    *file = (struct trace_file){.memory = job->memory, .base = job->trace, .grow = grow, .fd = fd};
    return job->trace != NULL;
}

/* Only where a chunk is to be begun: a look into /proc costs 20 us. */
static void find_command(const struct detrun_task *t, int32_t tid, char *command, size_t room)
{
    if (trace_has_room(t))
        return;
    long n = guest_read_file(tid, "comm", command, room - 1);
    command[n > 0 ? n - 1 : 0] = '\0';
}

/* A record whose owner runs has its events from there: another thread asks under it. */
static bool may_write(struct detrun_memory *m, struct detrun_task *t, int32_t tid)
{
    uint32_t flags = atomic_load(&lineage_process(m, t)->flags);
    return atomic_load(&t->real_tid) == tid || !(flags & DETRUN_TASK_ATTACHED);
}

/* Which of a process's threads asks when is timing, and how often Go's runtime reads a clock. */
static uint8_t looseness(const struct detrun_task *t, int32_t tid, const struct trace_event *event)
{
    bool go = (atomic_load(&t->flags) & DETRUN_TASK_GO) != 0;
    if (go)
        return event->source != DETRUN_WALL && event->kind != TRACE_IMAGE ? TRACE_LOOSE : 0;
    return atomic_load(&t->real_tid) != tid ? TRACE_LOOSE : 0;
}

static void put(struct supervisor_job *job, struct detrun_task *t, int32_t tid,
                struct trace_event event, const char *text)
{
    char command[TRACE_COMMAND] = "";
    struct trace_file file;
    if (!(job->memory->params.flags & DETRUN_FLAG_TRACE) || !may_write(job->memory, t, tid) ||
        !find_file(job, &file))
        return;
    find_command(t, tid, command, sizeof(command));
    file.command = command;
    event.kind |= looseness(t, tid, &event);
    trace_put(&file, t, event);
    if (text)
        trace_put_text(&file, t, text);
}

void trace_clock(const struct question *q, enum detrun_source source, int64_t ns)
{
    put(q->job, q->task, (int32_t)q->request->pid,
        (struct trace_event){.kind = TRACE_CLOCK,
                             .source = source & 31,
                             .door = DETRUN_DOOR_NOTIFY,
                             .value = (uint64_t)ns},
        NULL);
}

void trace_bytes(const struct question *q, const void *bytes, size_t length)
{
    if (!(q->m->params.flags & DETRUN_FLAG_TRACE))
        return;
    put(q->job, q->task, (int32_t)q->request->pid,
        (struct trace_event){.kind = TRACE_BYTES,
                             .source = DETRUN_RANDOM,
                             .door = DETRUN_DOOR_NOTIFY,
                             .call = DETRUN_STREAM_RANDOM,
                             .extra = (uint32_t)length,
                             .value = trace_digest(bytes, length, 0)},
        NULL);
}

void trace_image(const struct question *q, const char *path)
{
    put(q->job, q->process, (int32_t)q->request->pid,
        (struct trace_event){.kind = TRACE_IMAGE, .value = q->process->generation}, path);
}

static bool has_value(enum detrun_source source)
{
    return source == DETRUN_WALL || source == DETRUN_MONOTONIC || source == DETRUN_CPUTIME ||
           source == DETRUN_RANDOM;
}

/* What goes on in the kernel is an answer only where it is left to that; a shim says so itself. */
void trace_answer(struct supervisor *s, unsigned slot, enum detrun_source source, long value)
{
    const struct seccomp_notif *request = &s->memory->shared.inflight[slot].request;
    struct supervisor_who who = task_known(s, (int32_t)request->pid);
    const struct supervisor_row *row = supervisor_row(request->data.nr);
    bool real = value == ANSWER_CONTINUE;
    if (!who.task || !row || request->data.nr == SYS_prctl)
        return;
    bool left = (who.job->memory->params.real >> source & 1) != 0 &&
                !(atomic_load(&who.task->flags) & DETRUN_TASK_ATTACHED);
    if (real ? !left : has_value(source))
        return;
    put(who.job, who.task, (int32_t)request->pid,
        trace_of_call(row->call, source, real ? TRACE_KERNEL_DOOR : DETRUN_DOOR_NOTIFY,
                      real ? 0 : value),
        NULL);
}
