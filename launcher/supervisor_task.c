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
#include "process.h"

#define MAX_DEPTH    64
#define MAX_CHILDREN 1024

static struct detrun_task *adopt(struct supervisor *s, int32_t tid, int depth);

static struct detrun_task *known(struct supervisor *s, int32_t tid, int depth)
{
    struct detrun_task *t = lineage_by_real(s->memory, tid);
    return t ? t : adopt(s, tid, depth);
}

struct detrun_task *task_of(struct supervisor *s, int32_t tid)
{
    return known(s, tid, 0);
}

/* A thread without record of its own goes under its process's, and is remembered, so that its
 * number does not lead there once it is another's. No room: it is looked up each time. */
static void alias(struct supervisor *s, int32_t tid, const struct detrun_task *t)
{
    if (tid <= 0 || tid >= DETRUN_REAL_PID_LIMIT || s->alias_count == SUPERVISOR_ALIASES)
        return;
    struct supervisor_alias *a = &s->aliases[s->alias_count++];
    a->tid = tid;
    a->index = lineage_index(s->memory, t);
    a->pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    atomic_store_explicit(detrun_index_of(s->memory, tid), a->index, memory_order_release);
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
        atomic_compare_exchange_strong_explicit(detrun_index_of(s->memory, a->tid), &index, 0,
                                                memory_order_acq_rel, memory_order_relaxed);
    }
    s->alias_count = kept;
}

/* A raw fork or clone of the parent's image; an exec has yet to show itself by its ARCH_SET_FS. */
static struct detrun_task *bind_child(struct supervisor *s, struct detrun_task *parent, int32_t pid)
{
    struct detrun_task *t = lineage_prepare(s->memory, parent, LINEAGE_PROCESS);
    if (!t || !lineage_claim(s->memory, t, pid, pid))
        return NULL;
    atomic_fetch_or_explicit(&t->flags, lineage_image_flags(parent), memory_order_release);
    t->libc_start = parent->libc_start;
    t->libc_end = parent->libc_end;
    return t;
}

/* Lists of small numbers of children are in the order of their birth. */
static unsigned children_of(int32_t pid, int32_t tid, int32_t *children, unsigned room)
{
    char name[48];
    char text[8192];
    snprintf(name, sizeof(name), "task/%d/children", tid);
    long n = guest_read_file(pid, name, text, sizeof(text) - 1);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    unsigned count = 0;
    for (char *word = strtok(text, " "); word && count < room; word = strtok(NULL, " "))
        children[count++] = (int32_t)atoi(word);
    return count;
}

/* All that the parent started so far, in that order: who asks first must not matter. */
static void bind_children(struct supervisor *s, struct detrun_task *parent, int32_t ppid)
{
    static int32_t children[MAX_CHILDREN];
    int32_t tids[MAX_CHILDREN];
    unsigned threads = process_threads(ppid, tids, MAX_CHILDREN);
    for (unsigned i = 0; i < threads; i++) {
        unsigned n = children_of(ppid, tids[i], children, MAX_CHILDREN);
        for (unsigned k = 0; k < n; k++)
            if (!lineage_by_real(s->memory, children[k]))
                bind_child(s, parent, children[k]);
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

/* popen is back before its child has asked for anything: what counts is the record's state. */
static bool is_prepared_in(const struct detrun_memory *m, const struct detrun_task *t,
                           const struct detrun_task *parent)
{
    return lineage_state(t) == DETRUN_PREPARED &&
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
    unsigned n = children_of(pid, tid, children, MAX_CHILDREN);
    int before = 0;
    for (unsigned i = 0; i < n; i++) {
        if (children[i] == child)
            return before;
        before += lineage_by_real(s->memory, children[i]) == NULL;
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
static struct detrun_task *find_prepared(struct supervisor *s, const struct detrun_task *parent,
                                         int32_t ppid, int32_t pid)
{
    static struct prepared found;
    int32_t tids[MAX_CHILDREN];
    find_all_prepared(s->memory, parent, LINEAGE_PROCESS, &found);
    if (found.count <= 1)
        return found.count ? found.records[0] : NULL;
    unsigned threads = process_threads(ppid, tids, MAX_CHILDREN);
    for (unsigned i = 0; i < threads; i++) {
        int before = unbound_before(s, ppid, tids[i], pid);
        const struct detrun_task *creator = lineage_by_real(s->memory, tids[i]);
        if (before >= 0 && creator)
            return nth_of(&found, lineage_index(s->memory, creator), before);
    }
    return NULL;
}

static bool has_shim(const struct detrun_task *t)
{
    return (atomic_load_explicit(&t->flags, memory_order_acquire) & DETRUN_TASK_SHIM) != 0;
}

/* The creator binds a child's pid before it prepares the next one: if that is what was found here,
 * the pid is bound by now. */
static struct detrun_task *claim_prepared(struct supervisor *s, const struct detrun_task *parent,
                                          int32_t ppid, int32_t pid)
{
    struct detrun_task *t = has_shim(parent) ? find_prepared(s, parent, ppid, pid) : NULL;
    struct detrun_task *bound = t ? lineage_by_real(s->memory, pid) : NULL;
    if (bound)
        return bound;
    return t && lineage_claim(s->memory, t, pid, pid) ? t : NULL;
}

/* The launcher's first record is that of the command's parent; the next one is the command. */
static struct detrun_task *root_of(struct detrun_memory *m)
{
    for (uint32_t i = 1; i < 8; i++)
        if (m->tasks[i].parent_vpid != 0 && lineage_state(&m->tasks[i]) != DETRUN_FREE &&
            lineage_state(&m->tasks[i]) != DETRUN_OUTSIDE)
            return &m->tasks[i];
    return NULL;
}

static struct detrun_task *adopt_stray(struct supervisor *s, int32_t pid)
{
    struct detrun_task *root = root_of(s->memory);
    lineage_count_gap(s->memory, DETRUN_GAP_UNATTRIBUTED);
    return root ? bind_child(s, root, pid) : NULL;
}

/* A Go program starts its children from whichever thread its goroutine runs on. */
static struct detrun_task *bind_named(struct supervisor *s, struct detrun_task *parent, int32_t pid)
{
    char path[DETRUN_PATH_SIZE];
    char link[32];
    snprintf(link, sizeof(link), "/proc/%d/exe", pid);
    ssize_t n = readlink(link, path, sizeof(path) - 1);
    path[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(path, '/');
    struct detrun_task *t = lineage_prepare_named(s->memory, parent, slash ? slash + 1 : path);
    return t && lineage_claim(s->memory, t, pid, pid) ? t : NULL;
}

static bool is_go(const struct detrun_task *t)
{
    return (atomic_load_explicit(&t->flags, memory_order_acquire) & DETRUN_TASK_GO) != 0;
}

static struct detrun_task *adopt_process(struct supervisor *s, int32_t pid, int32_t ppid, int depth)
{
    struct detrun_task *parent = ppid > 1 ? known(s, ppid, depth + 1) : NULL;
    if (!parent || lineage_state(parent) == DETRUN_OUTSIDE)
        return adopt_stray(s, pid);
    parent = lineage_process(s->memory, parent);
    struct detrun_task *t = claim_prepared(s, parent, ppid, pid);
    if (t)
        return t;
    t = lineage_by_real(s->memory, pid);
    if (t)
        return t;
    if (is_go(parent))
        return bind_named(s, parent, pid);
    if (!has_shim(parent))
        bind_children(s, parent, ppid);
    t = lineage_by_real(s->memory, pid);
    return t ? t : bind_child(s, parent, pid);
}

/* Most new threads without record are of the process whose thread came last: one call instead of
 * a file of /proc. */
static struct detrun_task *adopt_thread_of_last(struct supervisor *s, int32_t tid)
{
    int32_t pid = s->last_threaded;
    struct detrun_task *t = pid ? lineage_by_real(s->memory, pid) : NULL;
    if (!t || syscall(SYS_tgkill, pid, tid, 0) != 0)
        return NULL;
    alias(s, tid, t);
    return t;
}

static struct detrun_task *adopt(struct supervisor *s, int32_t tid, int depth)
{
    struct process_ids ids;
    struct detrun_task *last = adopt_thread_of_last(s, tid);
    if (last)
        return last;
    if (depth > MAX_DEPTH || process_ids(tid, &ids) != 0)
        return NULL;
    if (ids.tgid == tid)
        return adopt_process(s, tid, ids.ppid, depth);
    struct detrun_task *t = known(s, ids.tgid, depth + 1);
    if (t)
        alias(s, tid, t);
    s->last_threaded = ids.tgid;
    return t;
}

/* How many threads of a process without record have smaller numbers: they were born before. */
static unsigned unbound_threads_before(struct supervisor *s, int32_t pid, int32_t tid)
{
    int32_t tids[MAX_CHILDREN];
    unsigned n = process_threads(pid, tids, MAX_CHILDREN);
    unsigned before = 0;
    for (unsigned i = 0; i < n && tids[i] < tid; i++)
        before += lineage_by_real(s->memory, tids[i]) == NULL;
    return before;
}

static struct detrun_task *bind_thread(struct supervisor *s, int32_t pid, int32_t tid)
{
    static struct prepared found;
    struct detrun_task *process = lineage_by_real(s->memory, pid);
    if (!process)
        return NULL;
    find_all_prepared(s->memory, process, LINEAGE_THREAD, &found);
    unsigned n = unbound_threads_before(s, pid, tid);
    struct detrun_task *t = n < found.count ? found.records[n] : NULL;
    return t && lineage_claim(s->memory, t, pid, tid) ? t : NULL;
}

struct detrun_task *task_of_tracee(struct supervisor *s, int32_t tid)
{
    struct process_ids ids;
    struct detrun_task *t = lineage_by_real(s->memory, tid);
    if (t)
        return t;
    if (tid <= 0 || process_ids(tid, &ids) != 0)
        return NULL;
    if (ids.tgid != tid)
        return bind_thread(s, ids.tgid, tid);
    struct detrun_task *parent = lineage_by_real(s->memory, ids.ppid);
    bool inside = parent && lineage_state(parent) != DETRUN_OUTSIDE;
    return inside ? adopt_process(s, tid, ids.ppid, 0) : NULL;
}

/* Prepared by a creator that did not live to see the child. */
static bool is_forsaken(const struct detrun_memory *m, const struct detrun_task *t)
{
    return lineage_state(t) == DETRUN_PREPARED && lineage_orphaned(m, t);
}

static bool is_gone(const struct detrun_task *t)
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
static void sweep_task(struct supervisor *s, uint32_t index)
{
    struct detrun_task *t = &s->memory->tasks[index];
    uint32_t nonce = atomic_load_explicit(&t->nonce, memory_order_relaxed);
    uint32_t state = lineage_state(t);
    bool lives = (state != DETRUN_RUNNING && state != DETRUN_ENDED) || !is_gone(t);
    if (!lives || is_forsaken(s->memory, t)) {
        if (s->gone[index] == nonce)
            lineage_free(s->memory, t);
        s->gone[index] = nonce;
    } else if (state == DETRUN_RUNNING && t->start_time == 0 && t->real_pid == t->real_tid) {
        t->start_time = process_start_time(t->real_pid);
    }
}

void task_sweep(struct supervisor *s)
{
    sweep_aliases(s);
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&s->memory->used[word], memory_order_relaxed);
        for (uint64_t left = used; left; left &= left - 1) {
            uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (index != 0)
                sweep_task(s, index);
        }
    }
}
