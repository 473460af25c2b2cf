/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lineage.h"
#include "outside.h"
#include "process.h"
#include "transit.h"
#include "unfollow.h"

#define MAX_THREADS  4096
#define MAX_CHILDREN 1024

void threads_each(struct supervisor *s, threads_visit *visit, void *argument)
{
    for (struct supervisor_job *job = s->jobs; job < s->jobs + s->job_end; job++)
        for (uint32_t word = 0; job->memory && word < DETRUN_USED_WORDS; word++) {
            uint64_t used = atomic_load_explicit(&job->memory->used[word], memory_order_relaxed);
            for (; used; used &= used - 1) {
                uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(used);
                if (index != 0)
                    visit(job, &job->memory->tasks[index], argument);
            }
        }
}

struct processes {
    bool unfollowed;
    threads_visit_process *visit;
    void *argument;
};

static void visit_process(struct supervisor_job *job, struct detrun_task *t, void *argument)
{
    const struct processes *each = argument;
    int32_t pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    bool thread = (atomic_load_explicit(&t->flags, memory_order_relaxed) & DETRUN_TASK_THREAD) != 0;
    if (!thread && pid > 0 && lineage_state(t) == DETRUN_RUNNING &&
        lineage_is_unfollowed(t) == each->unfollowed)
        each->visit(job, t, pid, each->argument);
}

void threads_each_process(struct supervisor *s, threads_visit_process *visit, void *argument)
{
    struct processes each = {false, visit, argument};
    threads_each(s, visit_process, &each);
}

void threads_each_unfollowed(struct supervisor *s, threads_visit_process *visit, void *argument)
{
    struct processes each = {true, visit, argument};
    threads_each(s, visit_process, &each);
}

static void note_living(struct supervisor_job *job, struct detrun_task *process, int32_t pid,
                        void *argument)
{
    (void)job;
    (void)process;
    bool *found = argument;
    *found = *found || process_is_alive(pid);
}

bool threads_any_unfollowed(struct supervisor *s)
{
    bool found = false;
    bool any = false;
    for (const struct supervisor_job *job = s->jobs; job < s->jobs + s->job_end; job++)
        any = any || (job->memory && unfollow_any(job->memory));
    if (any)
        threads_each_unfollowed(s, note_living, &found);
    return found;
}

/* It was blocked, and whoever would wake it says so first: the kernel need not be asked again. */
static bool is_surely_blocked(const struct supervisor_job *job, const struct detrun_task *t,
                              uint32_t beat)
{
    if (t->blocked_beat != beat)
        return false;
    uint32_t on = atomic_load_explicit(&t->waits_on, memory_order_relaxed);
    if (on < DETRUN_ON_FUTEX)
        return on == DETRUN_ON_NOBODY;
    const struct detrun_futex *futex =
        &job->memory->futexes[(on - DETRUN_ON_FUTEX) % DETRUN_FUTEX_SLOTS];
    return atomic_load_explicit(&futex->wakes, memory_order_acquire) ==
           atomic_load_explicit(&t->wakes, memory_order_relaxed);
}

/** Who was seen blocked, and what would have changed had it gone on. */
struct seen {
    const struct detrun_task *task; /**< NULL: it tells nothing */
    int32_t tid;
    uint32_t beat;
    uint64_t switches;
    bool on_files; /**< and perhaps on what comes from outside */
    bool sure;     /**< the kernel was not asked */
};

struct look {
    struct supervisor *s;
    bool runnable;  /**< somebody is; the rest need not be looked at */
    bool all;       /**< a signal or a death may have woken anybody */
    bool arrivals;  /**< what was on its way may have arrived since: not by anybody's doing */
    bool doubtful;  /**< whoever was looked at before somebody else may have been woken by it */
    uint64_t beats; /**< of all threads, before any was looked at */
    unsigned dead;
    unsigned count;
    struct seen seen[MAX_THREADS];
};

/* Stopped, traced and ended ones are waited for as little as sleeping ones. */
static bool is_blocked_by_state(char state)
{
    return state == '\0' || strchr("StTZXI", state) != NULL;
}

static bool is_blocked(int32_t tid)
{
    char state = process_state(tid);
    return is_blocked_by_state(state) && !(state == 'S' && process_is_running(tid));
}

static void count_dead(struct look *look, char state)
{
    look->dead += state == '\0' || state == 'Z' || state == 'X';
}

static bool is_found_blocked(struct look *look, int32_t tid)
{
    char state = process_state(tid);
    count_dead(look, state);
    return is_blocked_by_state(state) && !(state == 'S' && process_is_running(tid));
}

/* It is looked at again, and is on no processor then: one file of /proc for now. */
static bool is_silent_blocked(struct look *look, int32_t tid, uint64_t *switches)
{
    char state = process_state_at(tid, switches);
    count_dead(look, state);
    look->doubtful = true;
    return is_blocked_by_state(state);
}

static bool has_silent_gone_on(const struct seen *seen)
{
    uint64_t switches;
    return seen->tid > 0 && (process_is_running(seen->tid) ||
                             !is_blocked_by_state(process_state_at(seen->tid, &switches)) ||
                             switches != seen->switches);
}

static uint32_t beat_of(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->beat, memory_order_acquire);
}

static void add_beat(struct supervisor_job *job, struct detrun_task *t, void *argument)
{
    (void)job;
    uint64_t *beats = argument;
    *beats = (*beats ^ beat_of(t)) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t beats_of(struct supervisor *s)
{
    uint64_t beats = 0;
    threads_each(s, add_beat, &beats);
    return beats;
}

static bool tells(const struct detrun_task *t)
{
    uint32_t activity = atomic_load_explicit(&t->activity, memory_order_acquire);
    return activity == DETRUN_ASLEEP || activity == DETRUN_BLOCKED;
}

/* Others: a child that is not followed comes to its end outside. */
static bool is_on_files(const struct supervisor_job *job, const struct detrun_task *t)
{
    uint32_t on = atomic_load_explicit(&t->waits_on, memory_order_relaxed);
    return on <= DETRUN_ON_SOCKET || (on == DETRUN_ON_OTHERS && unfollow_any(job->memory));
}

/* What is sent in parts wakes its reader before the sender waits. */
static bool is_on_socket(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->waits_on, memory_order_relaxed) == DETRUN_ON_SOCKET;
}

/* In a pid namespace nobody out here knows all numbers: there, only what is told counts. */
static bool is_told_blocked(struct look *look, const struct supervisor_job *job,
                            struct detrun_task *t, struct seen *seen)
{
    seen->task = t;
    seen->beat = beat_of(t);
    seen->on_files = is_on_files(job, t);
    seen->sure = !look->all && is_surely_blocked(job, t, seen->beat);
    look->doubtful |= is_on_socket(t);
    if (!seen->sure && seen->tid > 0 && !is_found_blocked(look, seen->tid))
        return false;
    t->blocked_beat = seen->beat;
    return true;
}

/* @param t  its record, if it is its own */
static void look_at(struct look *look, const struct supervisor_job *job, struct detrun_task *t,
                    int32_t tid)
{
    if (look->runnable)
        return;
    struct seen seen = {.tid = tid, .on_files = true};
    bool blocked = t && tells(t) ? is_told_blocked(look, job, t, &seen)
                                 : tid > 0 && is_silent_blocked(look, tid, &seen.switches);
    if (blocked && look->count < MAX_THREADS)
        look->seen[look->count++] = seen;
    else
        look->runnable = true;
}

/* Its children are not known before they ask for something. */
static bool has_unknown_child(struct supervisor *s, int32_t pid, int32_t tid)
{
    static int32_t children[MAX_CHILDREN];
    unsigned n = process_children(pid, tid, children, MAX_CHILDREN);
    for (unsigned i = 0; i < n; i++)
        if (!task_known(s, children[i]).task && process_is_alive(children[i])) {
            task_of(s, children[i]);
            return true;
        }
    return false;
}

/* Of the thread looked at last: one that has not run since it had none has none now. */
static bool has_new_child(struct look *look, int32_t pid)
{
    static struct {
        int32_t tid;
        uint64_t switches;
    } childless[MAX_THREADS];
    const struct seen *seen = &look->seen[look->count - 1];
    unsigned slot = (unsigned)seen->tid % MAX_THREADS;
    if (childless[slot].tid == seen->tid && childless[slot].switches == seen->switches)
        return false;
    if (has_unknown_child(look->s, pid, seen->tid))
        return true;
    childless[slot].tid = seen->tid;
    childless[slot].switches = seen->switches;
    return false;
}

/* Where a thread waits for the supervisor's answer the kernel need not be asked. What it has
 * started it started before. @return false: it does not */
static bool is_held(struct look *look, int32_t pid, int32_t tid, bool children)
{
    struct supervisor_hold *hold = wait_held(look->s, tid);
    if (!hold)
        return false;
    if (children && !hold->childless && has_unknown_child(look->s, pid, tid))
        look->runnable = true;
    hold->childless = true;
    return true;
}

static void look_at_all_threads(struct look *look, const struct supervisor_job *job, int32_t pid,
                                bool children)
{
    static int32_t tids[MAX_THREADS];
    unsigned n = process_threads(pid, tids, MAX_THREADS);
    for (unsigned i = 0; i < n && !look->runnable; i++) {
        if (is_held(look, pid, tids[i], children))
            continue;
        look_at(look, job, NULL, tids[i]);
        if (children && !look->runnable && has_new_child(look, pid))
            look->runnable = true;
    }
}

static bool has_own_record(struct detrun_memory *m, int32_t tid)
{
    const struct detrun_task *t = lineage_by_real(m, tid);
    return t && lineage_state(t) == DETRUN_RUNNING &&
           atomic_load_explicit(&t->real_tid, memory_order_relaxed) == tid;
}

/* Its other threads have records of their own, but for those that libc makes for itself: a timer's
 * (SIGEV_THREAD), a queue's, a resolver's. */
static void look_at_process(struct look *look, const struct supervisor_job *job,
                            struct detrun_task *process, int32_t pid)
{
    static int32_t tids[MAX_THREADS];
    look_at(look, job, process, pid);
    unsigned n = process_is_threaded(pid) ? process_threads(pid, tids, MAX_THREADS) : 0;
    for (unsigned i = 0; i < n && !look->runnable; i++)
        if (tids[i] != pid && !has_own_record(job->memory, tids[i]))
            look_at(look, job, NULL, tids[i]);
}

/* A thread that has told its end may not be through with the call that ends it, and who joins it
 * may have been looked at before that. */
static void look_at_ended(struct look *look, uint32_t flags, int32_t tid)
{
    if (!(flags & DETRUN_TASK_THREAD) || tid <= 0)
        return;
    look->runnable = !is_blocked(tid);
    look->doubtful = true;
}

static void look_at_task(struct supervisor_job *job, struct detrun_task *t, void *argument)
{
    struct look *look = argument;
    uint32_t flags = atomic_load_explicit(&t->flags, memory_order_acquire);
    int32_t tid = atomic_load_explicit(&t->real_tid, memory_order_acquire);
    uint32_t state = lineage_state(t);
    if (look->runnable)
        return;
    if (state == DETRUN_ENDED)
        look_at_ended(look, flags, tid);
    else if (state == DETRUN_PREPARED)
        look->runnable = !lineage_orphaned(job->memory, t);
    else if (state != DETRUN_RUNNING || lineage_is_unfollowed(t))
        return;
    else if (flags & DETRUN_TASK_THREAD)
        look_at(look, job, t, tid);
    else if (flags & DETRUN_TASK_ATTACHED)
        look_at_process(look, job, t, tid);
    else
        look_at_all_threads(look, job, tid, (flags & DETRUN_TASK_SHIM) == 0);
}

/* Whoever asks the supervisor for something sleeps in the kernel until it is answered. */
static bool is_asked(const struct supervisor *s)
{
    struct pollfd pollfd = {.fd = s->listener, .events = POLLIN};
    return poll(&pollfd, 1, 0) != 0;
}

static bool has_gone_on(const struct look *look, const struct seen *seen)
{
    bool again =
        (look->doubtful || (look->arrivals && seen->on_files)) && !seen->sure && seen->tid > 0;
    if (!seen->task)
        return has_silent_gone_on(seen);
    return again && !is_blocked(seen->tid);
}

static void look_once(struct look *look, struct supervisor *s, bool all)
{
    look->s = s;
    look->all = all;
    look->doubtful = false;
    look->dead = 0;
    look->count = 0;
    look->beats = beats_of(s);
    look->runnable = is_asked(s);
    threads_each(s, look_at_task, look);
}

/* Whoever waits for a connection whose other end has sent something is about to go on. What arrives
 * between the look and this wakes somebody who does not tell of it before it runs. */
static bool is_in_transit(struct look *look)
{
    look->arrivals = false;
    for (unsigned i = 0; i < look->count && !look->arrivals; i++)
        look->arrivals = look->seen[i].on_files && look->seen[i].tid > 0;
    enum transit transit = look->arrivals ? transit_look() : TRANSIT_NONE;
    look->arrivals = transit != TRANSIT_NONE;
    return transit == TRANSIT_PENDING;
}

/* What comes from outside wakes a thread that has not told of it yet. */
static bool any_awaits_outside(struct look *look)
{
    for (unsigned i = 0; i < look->count; i++)
        if (look->seen[i].on_files && look->seen[i].tid > 0 &&
            outside_is_awaited(look->s, look->seen[i].tid, &look->runnable))
            return true;
    return false;
}

/* Of those that tell nothing some are asleep for a moment only: a spin's short nap, which the
 * kernel ends some 60 us later. */
#define QUIET_NS UINT64_C(250000)

static uint64_t mark_of_silent(const struct look *look)
{
    uint64_t mark = 0;
    for (unsigned i = 0; i < look->count; i++)
        if (!look->seen[i].task && look->seen[i].tid > 0)
            mark = process_mark(mark, look->seen[i].tid, look->seen[i].switches);
    return mark;
}

/* What has run may have sent a signal, and does not tell: then everybody is looked at. The next
 * look comes when they may have been quiet for long enough.
 * @param began_ns  real time when the first one was looked at */
static bool are_quiet(struct supervisor_keeper *k, uint64_t mark, uint64_t began_ns)
{
    if (mark != k->quiet) {
        k->quiet = mark;
        k->settled = false;
        k->naps_ended = 0;
        k->quiet_since_ns = supervisor_now_ns();
    }
    bool quiet = mark == 0 || began_ns >= k->quiet_since_ns + QUIET_NS;
    if (!quiet)
        k->pause_ns = QUIET_NS / 2;
    return quiet;
}

/* A Go scheduler's watchman naps while a thread is in a system call, up to 10 ms, and then may find
 * that what this one was to run has to be run by another. It takes two looks to see that. */
#define NAPS 3

static bool is_somebody_napping(struct supervisor *s)
{
    return s->keeper.naps_ended < NAPS && wait_end_naps(s) && ++s->keeper.naps_ended != 0;
}

static struct stir stir_of(const struct supervisor *s, const struct look *look)
{
    struct stir stir = {.dead = look->dead};
    for (const struct supervisor_job *job = s->jobs; job < s->jobs + s->job_end; job++) {
        if (!job->memory)
            continue;
        stir.signals += atomic_load_explicit(&job->memory->shared.signals, memory_order_acquire);
        stir.made += atomic_load_explicit(&job->memory->shared.next_nonce, memory_order_relaxed);
        stir.tasks += atomic_load_explicit(&job->memory->shared.tasks_in_use, memory_order_relaxed);
    }
    return stir;
}

static bool is_same(const struct stir *a, const struct stir *b)
{
    return a->signals == b->signals && a->made == b->made && a->tasks == b->tasks &&
           a->dead == b->dead;
}

/* A process is seen dead a moment before its parent is woken, both under one lock of the kernel's
 * (tasklist_lock, kernel/exit.c), which this takes: behind it the parent is runnable. */
static void let_deaths_be_told(void)
{
    kill(-getpgrp(), 0);
}

/* A signal is counted before it is sent: after such a thing all are looked at, and once more later.
 */
static bool has_settled(struct supervisor_keeper *k, const struct stir *stir)
{
    bool same = is_same(stir, &k->stir);
    k->stir = *stir;
    k->settled = k->settled && same;
    return same;
}

static bool seem_blocked(struct look *look, struct supervisor *s)
{
    uint64_t began_ns = supervisor_now_ns();
    look_once(look, s, !s->keeper.settled);
    struct stir stir = stir_of(s, look);
    return !look->runnable && has_settled(&s->keeper, &stir) &&
           are_quiet(&s->keeper, mark_of_silent(look), began_ns);
}

static bool has_any_gone_on(struct look *look)
{
    if (look->doubtful)
        let_deaths_be_told();
    for (unsigned i = 0; i < look->count && !look->runnable; i++)
        look->runnable = has_gone_on(look, &look->seen[i]);
    return look->runnable || beats_of(look->s) != look->beats || is_asked(look->s);
}

bool threads_all_blocked(struct supervisor *s, bool *awaits_outside)
{
    static struct look look;
    if (!seem_blocked(&look, s) || wait_any_goes_on(s) || is_in_transit(&look))
        return false;
    *awaits_outside = any_awaits_outside(&look);
    if (has_any_gone_on(&look) || is_somebody_napping(s))
        return false;
    struct stir stir = stir_of(s, &look);
    s->keeper.settled = has_settled(&s->keeper, &stir);
    return s->keeper.settled;
}

/* The CPU clock of a process, linux/posix-timers.h. */
static uint64_t cpu_time_of(int32_t pid)
{
    struct timespec ts = {0};
    clock_gettime((clockid_t)(~(unsigned)pid << 3 | 2), &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void add_cpu_time(struct supervisor_job *job, struct detrun_task *process, int32_t pid,
                         void *argument)
{
    (void)job;
    (void)process;
    *(uint64_t *)argument += cpu_time_of(pid);
}

uint64_t threads_cpu_time(struct supervisor *s)
{
    uint64_t sum = 0;
    threads_each_process(s, add_cpu_time, &sum);
    return sum;
}
