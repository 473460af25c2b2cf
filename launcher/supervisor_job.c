/* SPDX-License-Identifier: MIT */
/*
 * Jobs inside the job. The memory of one is made here and handed to the detrun that asks for it;
 * its command then binds itself in there, and everybody that it starts is found there. It goes when
 * that detrun and all its processes have ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "clock.h"
#include "detrun/trace.h"
#include "kill.h"
#include "lineage.h"
#include "memory.h"
#include "process.h"
#include "supervisor.h"
#include "timers.h"

static struct detrun_inner *listed(const struct supervisor *s, const struct supervisor_job *job)
{
    return &s->memory->shared.inner[job - s->jobs - 1];
}

static void *map(size_t size, int fd)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(struct supervisor_job *job)
{
    if (job->memory)
        munmap(job->memory, sizeof(*job->memory));
    if (job->gone)
        munmap(job->gone, DETRUN_MAX_TASKS * sizeof(*job->gone));
    if (job->memory_fd >= 0)
        close(job->memory_fd);
    if (job->record_fd > 0)
        close(job->record_fd);
    if (job->trace)
        munmap(job->trace, TRACE_LIMIT);
    if (job->trace_fd > 0)
        close(job->trace_fd);
    *job = (struct supervisor_job){.memory_fd = -1};
}

/* The descriptor is the job's from now on. @return 0, or -ENOMEM, and nothing is kept */
static int map_job(struct supervisor_job *job, int fd)
{
    job->memory_fd = fd;
    job->memory = map(sizeof(*job->memory), fd);
    job->gone = map(DETRUN_MAX_TASKS * sizeof(*job->gone), -1);
    if (job->memory && job->gone)
        return 0;
    unmap(job);
    return -ENOMEM;
}

static struct supervisor_job *free_job(struct supervisor *s)
{
    for (unsigned i = 1; i <= DETRUN_INNER_JOBS; i++)
        if (!s->jobs[i].memory) {
            s->job_end = i < s->job_end ? s->job_end : i + 1;
            return &s->jobs[i];
        }
    return NULL;
}

static void set_launcher(struct supervisor_job *job, struct supervisor_job *outer,
                         const struct detrun_task *launcher)
{
    job->outer = outer;
    job->launcher = atomic_load_explicit(&launcher->real_pid, memory_order_relaxed);
    job->launcher_index = lineage_index(outer->memory, launcher);
    job->launcher_nonce = atomic_load_explicit(&launcher->nonce, memory_order_relaxed);
}

/* What another supervisor has to know. */
static void list(const struct supervisor *s, const struct supervisor_job *job, int launcher_fd)
{
    struct detrun_inner *entry = listed(s, job);
    entry->outer = job->outer->memory->params.job;
    entry->launcher = job->launcher;
    entry->launcher_fd = launcher_fd;
    entry->supervisor_fd = job->memory_fd;
    atomic_store_explicit(&entry->id, job->memory->params.job, memory_order_release);
}

static long hand_over(struct question *q, struct supervisor_job *job)
{
    job->memory->params = q->m->params;
    job->memory->params.flags &= ~DETRUN_FLAG_TRACE;
    job->memory->params.trace_fd = 0;
    job->memory->params.job =
        atomic_fetch_add_explicit(&q->s->memory->shared.inner_jobs, 1, memory_order_relaxed) + 1;
    set_launcher(job, q->job, q->process);
    job->memory->params.launcher = job->launcher;
    long number = supervisor_put_descriptor(q, job->memory_fd, O_CLOEXEC);
    if (number < 0) {
        unmap(job);
        return number;
    }
    list(q->s, job, (int)number);
    return ANSWER_SENT;
}

long job_make(struct question *q)
{
    struct supervisor_job *job = free_job(q->s);
    if (q->args[2] != DETRUN_ABI_VERSION || q->args[3] != sizeof(struct detrun_memory))
        return -EPROTO;
    if (!job)
        return -EAGAIN;
    int fd = memory_open();
    if (fd < 0)
        return fd;
    int error = map_job(job, fd);
    return error ? error : hand_over(q, job);
}

static bool is_alive(const struct detrun_task *t)
{
    return lineage_state(t) == DETRUN_RUNNING &&
           process_is_alive(atomic_load_explicit(&t->real_pid, memory_order_relaxed));
}

static bool has_processes(const struct detrun_memory *m)
{
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
        for (; used; used &= used - 1)
            if (is_alive(&m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)]))
                return true;
    }
    return false;
}

static bool has_launcher(const struct supervisor_job *job)
{
    if (job->launcher == 0)
        return false;
    const struct detrun_task *t = &job->outer->memory->tasks[job->launcher_index];
    return atomic_load_explicit(&t->nonce, memory_order_relaxed) == job->launcher_nonce &&
           is_alive(t);
}

/* Jobs inside this one that go on are then inside the one around it. */
static void release(struct supervisor *s, struct supervisor_job *job)
{
    for (unsigned i = 1; i < s->job_end; i++)
        if (s->jobs[i].outer == job) {
            s->jobs[i].outer = job->outer;
            s->jobs[i].launcher = 0;
            listed(s, &s->jobs[i])->outer = job->outer->memory->params.job;
        }
    atomic_store_explicit(&listed(s, job)->id, 0, memory_order_release);
    task_forget_job(s, job);
    wait_forget_job(s, job);
    timers_forget_job(s, job);
    unmap(job);
}

void job_sweep(struct supervisor *s)
{
    for (unsigned i = s->job_end; i-- > 1;) {
        struct supervisor_job *job = &s->jobs[i];
        if (job->memory && !has_launcher(job) && !has_processes(job->memory))
            release(s, job);
    }
    while (s->job_end > 1 && !s->jobs[s->job_end - 1].memory)
        s->job_end--;
}

/* @return the job that the caller made, or NULL */
static struct supervisor_job *own_job(const struct question *q)
{
    int32_t pid = atomic_load_explicit(&q->process->real_pid, memory_order_relaxed);
    for (unsigned i = 1; i < q->s->job_end; i++) {
        struct supervisor_job *job = &q->s->jobs[i];
        if (job->memory && job->memory->params.job == q->args[2] && job->launcher == pid)
            return job;
    }
    return NULL;
}

/* What the command slept passes for whoever waits for its launcher. */
long job_leave(struct question *q)
{
    struct supervisor_job *job = own_job(q);
    if (!job)
        return -ESRCH;
    const struct detrun_task *root = task_root(job->memory);
    if (root && lineage_state(&job->memory->tasks[root->parent]) == DETRUN_OUTSIDE)
        clock_sleep(q->m, q->process, atomic_load_explicit(&root->base, memory_order_relaxed));
    job->launcher = 0;
    if (!has_processes(job->memory))
        release(q->s, job);
    return 0;
}

static bool is_inside(const struct supervisor_job *job, const struct supervisor_job *around)
{
    while (job && job != around)
        job = job->outer;
    return job != NULL;
}

long job_kill(struct question *q)
{
    const struct supervisor_job *own = own_job(q);
    unsigned count = 0;
    for (unsigned i = 1; own && i < q->s->job_end; i++) {
        const struct supervisor_job *job = &q->s->jobs[i];
        if (job->memory && job != own && is_inside(job, own))
            count += kill_recorded(job->memory, (int)q->args[3]);
    }
    return own ? (long)count : -ESRCH;
}

/* The launcher still has the memory, under the same number. */
static int open_again(const struct detrun_inner *entry)
{
    char path[48];
    struct stat status;
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", entry->launcher, entry->launcher_fd);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || (fstat(fd, &status) == 0 && status.st_size == sizeof(struct detrun_memory)))
        return fd;
    close(fd);
    return -1;
}

static struct supervisor_job *by_id(struct supervisor *s, uint32_t id)
{
    for (unsigned i = 1; i < s->job_end; i++)
        if (s->jobs[i].memory && s->jobs[i].memory->params.job == id)
            return &s->jobs[i];
    return s->jobs;
}

static void recover(struct supervisor_job *job, struct detrun_inner *entry)
{
    uint32_t id = atomic_load_explicit(&entry->id, memory_order_acquire);
    int fd = id != 0 ? open_again(entry) : -1;
    if (fd >= 0 && map_job(job, fd) == 0 && job->memory->params.job != id)
        unmap(job);
    if (job->memory)
        entry->supervisor_fd = fd;
    else
        atomic_store_explicit(&entry->id, 0, memory_order_release);
}

static void recover_outer(struct supervisor *s, struct supervisor_job *job)
{
    struct supervisor_job *outer = by_id(s, listed(s, job)->outer);
    const struct detrun_task *launcher = lineage_by_real(outer->memory, listed(s, job)->launcher);
    job->outer = outer;
    if (launcher)
        set_launcher(job, outer, launcher);
}

void job_recover(struct supervisor *s)
{
    s->job_end = DETRUN_INNER_JOBS + 1;
    for (unsigned i = 1; i < s->job_end; i++)
        recover(&s->jobs[i], &s->memory->shared.inner[i - 1]);
    for (unsigned i = 1; i < s->job_end; i++)
        if (s->jobs[i].memory)
            recover_outer(s, &s->jobs[i]);
    job_sweep(s);
}
