/* SPDX-License-Identifier: MIT */
/*
 * Who asks: the record of a real thread. Images with the shim claim theirs before they ask; what
 * no shim prepared is bound here, by its place among its parent's children.
 */
#include "supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "lineage.h"
#include "pidmap.h"
#include "process.h"
#include "unfollow.h"

#define MAX_DEPTH    64
#define MAX_CHILDREN 1024

static struct supervisor_who adopt(struct supervisor *s, int32_t tid, int depth);

/* Pids are reused, and what was a pid's record in one job may not have been swept yet. */
static bool is_stale(const struct detrun_task *t, int32_t tid)
{
    return t->start_time != 0 && atomic_load_explicit(&t->real_pid, memory_order_relaxed) == tid &&
           process_start_time(tid) != t->start_time;
}

/* What is outside an inner job may be in the one around it. */
static bool is_better(const struct detrun_task *t, const struct detrun_task *found, int32_t tid)
{
    if (!found)
        return true;
    if (lineage_state(t) == DETRUN_OUTSIDE)
        return false;
    return lineage_state(found) == DETRUN_OUTSIDE || is_stale(found, tid);
}

struct supervisor_who task_known(struct supervisor *s, int32_t tid)
{
    struct supervisor_who found = {s->jobs, NULL};
    for (struct supervisor_job *job = s->jobs + s->job_end; job-- > s->jobs;) {
        struct detrun_task *t = job->memory ? lineage_by_real(job->memory, tid) : NULL;
        if (t && is_better(t, found.task, tid))
            found = (struct supervisor_who){job, t};
    }
    return found;
}

static struct supervisor_who known(struct supervisor *s, int32_t tid, int depth)
{
    struct supervisor_who found = task_known(s, tid);
    return found.task ? found : adopt(s, tid, depth);
}

struct supervisor_who task_of(struct supervisor *s, int32_t tid)
{
    return known(s, tid, 0);
}

/* A thread without record of its own goes under its process's, and is remembered, so that its
 * number does not lead there once it is another's. No room: it is looked up each time. */
static void alias(struct supervisor *s, int32_t tid, struct supervisor_who who)
{
    if (tid <= 0 || tid >= DETRUN_REAL_PID_LIMIT || s->alias_count == SUPERVISOR_ALIASES)
        return;
    struct supervisor_alias *a = &s->aliases[s->alias_count++];
    a->tid = tid;
    a->job = who.job;
    a->index = lineage_index(who.job->memory, who.task);
    a->pid = atomic_load_explicit(&who.task->real_pid, memory_order_relaxed);
    atomic_store_explicit(detrun_index_of(who.job->memory, tid), a->index, memory_order_release);
}

bool task_began_without_record(const struct question *q)
{
    int32_t pid = atomic_load_explicit(&q->process->real_pid, memory_order_relaxed);
    int32_t tid = (int32_t)q->request->pid;
    for (unsigned i = 0; tid != pid && i < q->s->alias_count; i++)
        if (q->s->aliases[i].tid == tid && q->s->aliases[i].pid == pid)
            return true;
    return false;
}

static void sweep_aliases(struct supervisor *s)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < s->alias_count; i++) {
        struct supervisor_alias *a = &s->aliases[i];
        if (syscall(SYS_tgkill, a->pid, a->tid, 0) == 0 || errno != ESRCH) {
            s->aliases[kept++] = *a;
            continue;
        }
        uint32_t index = a->index;
        atomic_compare_exchange_strong_explicit(detrun_index_of(a->job->memory, a->tid), &index, 0,
                                                memory_order_acq_rel, memory_order_relaxed);
    }
    s->alias_count = kept;
}

/* A raw fork or clone of the parent's image; an exec has yet to show itself by its ARCH_SET_FS. */
static struct detrun_task *bind_child(struct detrun_memory *m, struct detrun_task *parent,
                                      int32_t pid)
{
    struct detrun_task *t = lineage_prepare(m, parent, LINEAGE_PROCESS);
    if (!t || !lineage_claim(m, t, pid, pid))
        return NULL;
    atomic_fetch_or_explicit(&t->flags, lineage_image_flags(parent), memory_order_release);
    t->libc_start = parent->libc_start;
    t->libc_end = parent->libc_end;
    return t;
}

/* All that the parent started so far, in that order: who asks first must not matter. */
static void bind_children(struct supervisor *s, struct supervisor_who parent, int32_t ppid)
{
    static int32_t children[MAX_CHILDREN];
    int32_t tids[MAX_CHILDREN];
    unsigned threads = process_threads(ppid, tids, MAX_CHILDREN);
    for (unsigned i = 0; i < threads; i++) {
        unsigned n = process_children(ppid, tids[i], children, MAX_CHILDREN);
        for (unsigned k = 0; k < n; k++)
            if (!task_known(s, children[k]).task)
                bind_child(parent.job->memory, parent.task, children[k]);
    }
}

struct prepared {
    struct detrun_task *records[MAX_CHILDREN]; /**< in the order of their making */
    unsigned count;
};

static uint32_t nonce_of(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->nonce, memory_order_relaxed);
}

static void insert(struct prepared *p, struct detrun_task *t)
{
    unsigned at = p->count < MAX_CHILDREN ? p->count++ : MAX_CHILDREN - 1;
    for (; at > 0 && nonce_of(p->records[at - 1]) > nonce_of(t); at--)
        p->records[at] = p->records[at - 1];
    p->records[at] = t;
}

static enum lineage_kind kind_of(const struct detrun_task *t)
{
    bool thread = (atomic_load_explicit(&t->flags, memory_order_relaxed) & DETRUN_TASK_THREAD) != 0;
    return thread ? LINEAGE_THREAD : LINEAGE_PROCESS;
}

/* popen is back before its child has asked for anything: what counts is the record's state. In a
 * pid namespace of its own a process does not know what it is called out here. */
static bool is_prepared_in(const struct detrun_memory *m, const struct detrun_task *t,
                           const struct detrun_task *parent)
{
    bool unbound = lineage_state(t) == DETRUN_RUNNING && t->space != 0 &&
                   atomic_load_explicit(&t->real_tid, memory_order_relaxed) == 0;
    return (unbound || lineage_state(t) == DETRUN_PREPARED) &&
           m->tasks[t->parent % DETRUN_MAX_TASKS].process == lineage_index(m, parent);
}

static void find_all_prepared(struct detrun_memory *m, const struct detrun_task *parent,
                              enum lineage_kind kind, struct prepared *found)
{
    found->count = 0;
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
        for (; used; used &= used - 1) {
            struct detrun_task *t = &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
            if (is_prepared_in(m, t, parent) && kind_of(t) == kind)
                insert(found, t);
        }
    }
}

/* How many children without record this thread had before that one; -1: it is not its child. */
static int unbound_before(struct supervisor *s, int32_t pid, int32_t tid, int32_t child)
{
    static int32_t children[MAX_CHILDREN];
    unsigned n = process_children(pid, tid, children, MAX_CHILDREN);
    int before = 0;
    for (unsigned i = 0; i < n; i++) {
        if (children[i] == child)
            return before;
        before += task_known(s, children[i]).task == NULL;
    }
    return -1;
}

static struct detrun_task *nth_of(const struct prepared *found, uint32_t creator, int n)
{
    for (unsigned i = 0; i < found->count; i++)
        if (found->records[i]->parent == creator && n-- == 0)
            return found->records[i];
    return NULL;
}

/* A spawn is under way in a parent with the shim: its child is the record it prepared. Several at
 * once: a thread's children are born in the order in which it prepares them. */
static struct detrun_task *find_prepared(struct supervisor *s, struct supervisor_who parent,
                                         int32_t ppid, int32_t pid)
{
    static struct prepared found;
    int32_t tids[MAX_CHILDREN];
    struct detrun_memory *m = parent.job->memory;
    find_all_prepared(m, parent.task, LINEAGE_PROCESS, &found);
    if (found.count <= 1)
        return found.count ? found.records[0] : NULL;
    unsigned threads = process_threads(ppid, tids, MAX_CHILDREN);
    for (unsigned i = 0; i < threads; i++) {
        int before = unbound_before(s, ppid, tids[i], pid);
        const struct detrun_task *creator = lineage_by_real(m, tids[i]);
        if (before >= 0 && creator)
            return nth_of(&found, lineage_index(m, creator), before);
    }
    return NULL;
}

static bool has_shim(const struct detrun_task *t)
{
    return (atomic_load_explicit(&t->flags, memory_order_acquire) & DETRUN_TASK_SHIM) != 0;
}

/* The creator binds a child's pid before it prepares the next one: if that is what was found here,
 * the pid is bound by now. */
static struct detrun_task *claim_prepared(struct supervisor *s, struct supervisor_who parent,
                                          int32_t ppid, int32_t pid)
{
    struct detrun_memory *m = parent.job->memory;
    struct detrun_task *t = has_shim(parent.task) ? find_prepared(s, parent, ppid, pid) : NULL;
    struct detrun_task *bound = t ? lineage_by_real(m, pid) : NULL;
    if (bound)
        return bound;
    if (!t)
        return NULL;
    lineage_confirm(m, t, pid);
    return lineage_by_real(m, pid) == t ? t : NULL;
}

/* The launcher's first record is that of the command's parent; the next one is the command. */
struct detrun_task *task_root(struct detrun_memory *m)
{
    for (uint32_t i = 1; i < 8; i++)
        if (m->tasks[i].parent_vpid != 0 && lineage_state(&m->tasks[i]) != DETRUN_FREE &&
            lineage_state(&m->tasks[i]) != DETRUN_OUTSIDE)
            return &m->tasks[i];
    return NULL;
}

/* Its parent has ended, having bound its pid if it had the shim. If not, its group's and session's
 * leaders know at least in which job it is. */
static struct supervisor_who adopt_stray(struct supervisor *s, int32_t pid)
{
    struct supervisor_who near = task_known(s, pid);
    if (near.task && lineage_state(near.task) != DETRUN_OUTSIDE)
        return near;
    near = task_known(s, getpgid(pid));
    if (!near.task || lineage_state(near.task) == DETRUN_OUTSIDE)
        near = task_known(s, getsid(pid));
    struct detrun_memory *m = near.job->memory;
    struct detrun_task *root = task_root(m);
    struct detrun_task *t = root ? bind_child(m, root, pid) : NULL;
    if (t && unfollow_is_heir(m, pid))
        unfollow_mark(t);
    else
        lineage_count_gap(m, DETRUN_GAP_UNATTRIBUTED);
    return (struct supervisor_who){near.job, t};
}

/* A Go program starts its children from whichever thread its goroutine runs on. */
static struct detrun_task *bind_named(struct detrun_memory *m, struct detrun_task *parent,
                                      int32_t pid)
{
    char path[DETRUN_PATH_SIZE];
    char link[32];
    snprintf(link, sizeof(link), "/proc/%d/exe", pid);
    ssize_t n = readlink(link, path, sizeof(path) - 1);
    path[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(path, '/');
    struct detrun_task *t = lineage_prepare_named(m, parent, slash ? slash + 1 : path);
    return t && lineage_claim(m, t, pid, pid) ? t : NULL;
}

static bool is_go(const struct detrun_task *t)
{
    return (atomic_load_explicit(&t->flags, memory_order_acquire) & DETRUN_TASK_GO) != 0;
}

static struct detrun_task *bind_to(struct supervisor *s, struct supervisor_who parent, int32_t ppid,
                                   int32_t pid)
{
    struct detrun_memory *m = parent.job->memory;
    if (lineage_is_unfollowed(parent.task))
        return bind_child(m, parent.task, pid);
    struct detrun_task *t = claim_prepared(s, parent, ppid, pid);
    if (t)
        return t;
    t = lineage_by_real(m, pid);
    if (t)
        return t;
    if (is_go(parent.task))
        return bind_named(m, parent.task, pid);
    if (!has_shim(parent.task))
        bind_children(s, parent, ppid);
    t = lineage_by_real(m, pid);
    return t ? t : bind_child(m, parent.task, pid);
}

static struct supervisor_who adopt_process(struct supervisor *s, int32_t pid, int32_t ppid,
                                           int depth)
{
    struct supervisor_who parent = {s->jobs, NULL};
    if (ppid > 1)
        parent = known(s, ppid, depth + 1);
    if (!parent.task || lineage_state(parent.task) == DETRUN_OUTSIDE)
        return adopt_stray(s, pid);
    parent.task = lineage_process(parent.job->memory, parent.task);
    return (struct supervisor_who){parent.job, bind_to(s, parent, ppid, pid)};
}

/* Most new threads without record are of the process whose thread came last: one call instead of
 * a file of /proc. */
static struct supervisor_who adopt_thread_of_last(struct supervisor *s, int32_t tid)
{
    int32_t pid = s->last_threaded;
    struct supervisor_who who = {s->jobs, NULL};
    if (pid)
        who = task_known(s, pid);
    if (!who.task || syscall(SYS_tgkill, pid, tid, 0) != 0)
        return (struct supervisor_who){s->jobs, NULL};
    alias(s, tid, who);
    return who;
}

static struct supervisor_who adopt(struct supervisor *s, int32_t tid, int depth)
{
    struct process_ids ids;
    struct supervisor_who who = adopt_thread_of_last(s, tid);
    if (who.task || depth > MAX_DEPTH || process_ids(tid, &ids) != 0)
        return who;
    if (ids.tgid == tid)
        return adopt_process(s, tid, ids.ppid, depth);
    who = known(s, ids.tgid, depth + 1);
    if (who.task)
        alias(s, tid, who);
    s->last_threaded = ids.tgid;
    return who;
}

/* How many threads of a process without record have smaller numbers: they were born before. */
static unsigned unbound_threads_before(struct detrun_memory *m, int32_t pid, int32_t tid)
{
    int32_t tids[MAX_CHILDREN];
    unsigned n = process_threads(pid, tids, MAX_CHILDREN);
    unsigned before = 0;
    for (unsigned i = 0; i < n && tids[i] < tid; i++)
        before += lineage_by_real(m, tids[i]) == NULL;
    return before;
}

static struct detrun_task *bind_thread(struct detrun_memory *m, int32_t pid, int32_t tid)
{
    static struct prepared found;
    struct detrun_task *process = lineage_by_real(m, pid);
    if (!process)
        return NULL;
    find_all_prepared(m, process, LINEAGE_THREAD, &found);
    unsigned n = unbound_threads_before(m, pid, tid);
    struct detrun_task *t = n < found.count ? found.records[n] : NULL;
    return t && lineage_claim(m, t, pid, tid) ? t : NULL;
}

struct detrun_task *task_of_tracee(const struct question *q, int32_t tid)
{
    struct process_ids ids;
    struct detrun_task *t = lineage_by_real(q->m, tid);
    if (t)
        return t;
    if (tid <= 0 || process_ids(tid, &ids) != 0)
        return NULL;
    if (ids.tgid != tid)
        return bind_thread(q->m, ids.tgid, tid);
    struct detrun_task *parent = lineage_by_real(q->m, ids.ppid);
    bool inside = parent && lineage_state(parent) != DETRUN_OUTSIDE;
    return inside ? adopt_process(q->s, tid, ids.ppid, 0).task : NULL;
}

/* Prepared by a creator that did not live to see the child. */
static bool is_forsaken(const struct detrun_memory *m, const struct detrun_task *t)
{
    return lineage_state(t) == DETRUN_PREPARED && lineage_orphaned(m, t);
}

bool pidmap_is_gone(const struct detrun_task *t)
{
    int32_t pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    int32_t tid = atomic_load_explicit(&t->real_tid, memory_order_relaxed);
    if (tid <= 0)
        return false;
    /* A group keeps its leader's number, and needs its name, for as long as it has members. */
    if (syscall(SYS_tgkill, pid, tid, 0) != 0 && errno == ESRCH)
        return kill(-pid, 0) != 0 && errno == ESRCH;
    uint64_t start = t->start_time;
    return pid == tid && start != 0 && process_start_time(pid) != start;
}

/* A parent's wait wrapper still reads the record between the kernel's wait and its own freeing:
 * only what two sweeps in a row found gone is freed. */
static void sweep_task(const struct supervisor_job *job, uint32_t index)
{
    struct detrun_task *t = &job->memory->tasks[index];
    uint32_t nonce = atomic_load_explicit(&t->nonce, memory_order_relaxed);
    uint32_t state = lineage_state(t);
    bool lives = (state != DETRUN_RUNNING && state != DETRUN_ENDED) || !pidmap_is_gone(t);
    if (!lives || is_forsaken(job->memory, t)) {
        if (job->gone[index] == nonce)
            lineage_free(job->memory, t);
        job->gone[index] = nonce;
    } else if (state == DETRUN_RUNNING && t->start_time == 0 && t->real_pid == t->real_tid) {
        t->start_time = process_start_time(t->real_pid);
    }
}

static void sweep_job(const struct supervisor_job *job)
{
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&job->memory->used[word], memory_order_relaxed);
        for (uint64_t left = used; left; left &= left - 1) {
            uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (index != 0)
                sweep_task(job, index);
        }
    }
}

void task_sweep(struct supervisor *s)
{
    sweep_aliases(s);
    for (unsigned i = 0; i < s->job_end; i++)
        if (s->jobs[i].memory)
            sweep_job(&s->jobs[i]);
}

void task_forget_job(struct supervisor *s, const struct supervisor_job *job)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < s->alias_count; i++)
        if (s->aliases[i].job != job)
            s->aliases[kept++] = s->aliases[i];
    s->alias_count = kept;
}
