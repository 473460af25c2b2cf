/* SPDX-License-Identifier: MIT */
#include "sleepers.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "lineage.h"
#include "process.h"
#include "threads.h"
#include "timeouts.h"
#include "timers.h"

/* Longer sleeps are meant to last for ever. */
#define FOR_EVER_NS (UINT64_C(10) * 365 * 24 * 3600 * 1000000000)

static bool lasts_for_ever(const struct sleeper *c)
{
    return c->target > clock_job(c->job->memory) &&
           c->target - clock_job(c->job->memory) > FOR_EVER_NS;
}

static bool is_timer_before(const struct supervisor_timer *a, const struct supervisor_timer *b)
{
    return a->kind != b->kind ? a->kind < b->kind : a->id < b->id;
}

/* Of equal times: who made a timer did so before it went to sleep. Of children of one creator the
 * elder comes first; whoever else, in a fixed order. */
static bool comes_before(const struct sleeper *a, const struct sleeper *b)
{
    if (a->job != b->job)
        return a->job > b->job; /* an inner job's times are none of the outer one's */
    if (a->target != b->target)
        return a->target < b->target;
    if (!a->timer != !b->timer)
        return a->timer != NULL;
    if (a->task->parent == b->task->parent && a->task->number != b->task->number)
        return a->task->number < b->task->number;
    if (a->task->lineage != b->task->lineage)
        return a->task->lineage < b->task->lineage;
    return a->timer && b->timer ? is_timer_before(a->timer, b->timer) : a->tid < b->tid;
}

struct search {
    struct sleeper *first;
    const struct sleeper *behind; /**< only those behind this one; NULL: all */
    bool found;
};

static void consider(struct search *search, const struct sleeper *candidate)
{
    if (lasts_for_ever(candidate) || (search->behind && !comes_before(search->behind, candidate)) ||
        (search->found && !comes_before(candidate, search->first)))
        return;
    *search->first = *candidate;
    search->found = true;
}

static void consider_task(struct supervisor_job *job, struct detrun_task *t, void *argument)
{
    if (atomic_load_explicit(&t->activity, memory_order_acquire) != DETRUN_ASLEEP ||
        lineage_state(t) != DETRUN_RUNNING)
        return;
    struct sleeper candidate = {
        .job = job,
        .task = t,
        .tid = atomic_load_explicit(&t->real_tid, memory_order_relaxed),
        .beat = atomic_load_explicit(&t->beat, memory_order_relaxed),
        .target = atomic_load_explicit(&t->target, memory_order_relaxed),
    };
    consider(argument, &candidate);
}

static void consider_waits(struct supervisor *s, struct search *search)
{
    for (unsigned i = 0; i < SUPERVISOR_WAITS; i++) {
        struct supervisor_wait *w = &s->waits[i];
        if (w->tid == 0 || w->resumes)
            continue;
        struct supervisor_who who = task_known(s, w->tid);
        if (who.task)
            consider(search, &(struct sleeper){.job = who.job,
                                               .task = who.task,
                                               .wait = w,
                                               .tid = w->tid,
                                               .target = w->target});
    }
}

static void consider_holds(struct supervisor *s, struct search *search)
{
    for (unsigned slot = 0; s->held != 0 && slot < DETRUN_INFLIGHT; slot++) {
        struct supervisor_hold *h = &s->holds[slot];
        int32_t tid = (int32_t)s->memory->shared.inflight[slot].request.pid;
        struct supervisor_who who = {0};
        if (h->active && !h->nap)
            who = task_known(s, tid);
        if (who.task)
            consider(
                search,
                &(struct sleeper){
                    .job = who.job, .task = who.task, .hold = h, .tid = tid, .target = h->target});
    }
}

/* A look at a timer's state costs a file of /proc. */
static bool may_be_first(const struct search *search, const struct supervisor_timer *t)
{
    return t->armed &&
           (!search->found || search->first->job != t->job || t->target <= search->first->target);
}

static void consider_timers(struct supervisor *s, struct search *search)
{
    for (unsigned i = 0; i < s->timers->end; i++) {
        struct supervisor_timer *t = &s->timers->all[i];
        if (may_be_first(search, t) && timers_are_awaited(t))
            consider(search, &(struct sleeper){.job = t->job,
                                               .task = timers_process(t),
                                               .timer = t,
                                               .target = t->target});
    }
}

static bool first_behind(struct supervisor *s, const struct sleeper *behind, struct sleeper *first)
{
    struct search search = {.first = first, .behind = behind};
    threads_each(s, consider_task, &search);
    consider_waits(s, &search);
    consider_holds(s, &search);
    consider_timers(s, &search);
    return search.found;
}

/* Dead and stopped ones do not wait for a time, nor does who has jumped out of its wait. */
static bool sleeps(const struct sleeper *c)
{
    if (c->tid <= 0)
        return true;
    char state = process_state(c->tid);
    return state != '\0' && !strchr("TtZX", state) && timeouts_is_waiting(c);
}

bool sleepers_first(struct supervisor *s, struct sleeper *first, uint64_t *absent)
{
    bool found = first_behind(s, NULL, first);
    *absent = 0;
    while (found && !sleeps(first)) {
        struct sleeper behind = *first;
        *absent = process_mark(*absent, behind.tid, process_switches(behind.tid));
        found = first_behind(s, &behind, first);
    }
    return found;
}

/* When a beat of a record's was first seen. Of two that share a note the older is forgotten, and
 * due later. */
struct note {
    const struct detrun_task *task;
    uint32_t beat;
    uint64_t due_ns;
};

static struct note *note_of(const struct sleeper *sleeper)
{
    static struct note notes[1024];
    uint32_t index = lineage_index(sleeper->job->memory, sleeper->task);
    return &notes[index % 1024];
}

uint64_t sleepers_due_ns(const struct sleeper *sleeper, uint64_t now)
{
    if (sleeper->wait)
        return sleeper->wait->started_ns + sleeper->wait->timeout_ns;
    if (sleeper->hold)
        return sleeper->hold->until_ns;
    if (sleeper->timer)
        return timers_due_ns(sleeper->timer);
    struct note *note = note_of(sleeper);
    if (note->task != sleeper->task || note->beat != sleeper->beat) {
        uint64_t began = clock_hand_on(sleeper->task);
        uint64_t left = sleeper->target > began ? sleeper->target - began : 0;
        *note = (struct note){sleeper->task, sleeper->beat, now + left};
    }
    return note->due_ns;
}

static void move_job_time(struct supervisor *s, const struct sleeper *sleeper)
{
    if (sleeper->target <= clock_job(sleeper->job->memory))
        return;
    atomic_store_explicit(&sleeper->job->memory->shared.now, sleeper->target, memory_order_release);
    timers_moved(s, sleeper->job);
}

bool sleepers_any(struct supervisor *s)
{
    struct sleeper first;
    return first_behind(s, NULL, &first);
}

bool sleepers_unreachable(const struct sleeper *sleeper)
{
    const struct detrun_task *process = lineage_process(sleeper->job->memory, sleeper->task);
    uint32_t flags = atomic_load_explicit(&process->flags, memory_order_relaxed);
    return !sleeper->hold && !sleeper->timer && (flags & DETRUN_TASK_UNREACHABLE) != 0;
}

static void cannot_reach(const struct sleeper *sleeper)
{
    struct detrun_memory *m = sleeper->job->memory;
    struct detrun_task *process = lineage_process(m, sleeper->task);
    uint32_t before =
        atomic_fetch_or_explicit(&process->flags, DETRUN_TASK_UNREACHABLE, memory_order_release);
    if (!(before & DETRUN_TASK_UNREACHABLE))
        lineage_count_gap(m, DETRUN_GAP_KERNEL_TIMEOUT);
}

/* Asleep on the word of its record, or in a call of its own. */
static void wake(const struct sleeper *sleeper, uint32_t how)
{
    struct detrun_task *t = sleeper->task;
    atomic_store_explicit(&t->released, how, memory_order_release);
    long woken = syscall(SYS_futex, &t->released, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    if (woken == 0 && !timeouts_end(sleeper))
        cannot_reach(sleeper);
}

static void release_task(struct supervisor *s, const struct sleeper *sleeper, bool in_turn)
{
    struct detrun_task *t = sleeper->task;
    uint32_t expected = DETRUN_ASLEEP;
    if (atomic_load_explicit(&t->beat, memory_order_acquire) != sleeper->beat ||
        !atomic_compare_exchange_strong(&t->activity, &expected, DETRUN_RELEASED))
        return;
    if (in_turn)
        move_job_time(s, sleeper);
    else
        lineage_count_gap(sleeper->job->memory, DETRUN_GAP_EARLY_TIMEOUT);
    wake(sleeper, in_turn ? 1 : 2);
}

/* An image without shim goes by the record of its process, and by the kernel's time-out where
 * others compute. */
static void release_kernels(struct supervisor *s, const struct sleeper *sleeper, bool in_turn)
{
    if (!in_turn)
        return;
    move_job_time(s, sleeper);
    wait_credit(sleeper->wait, sleeper->job->memory, sleeper->task);
    if (!timeouts_end(sleeper))
        cannot_reach(sleeper);
}

static void release_timer(struct supervisor *s, const struct sleeper *sleeper, bool in_turn)
{
    if (!timers_are_alive(s, sleeper->timer))
        return;
    if (in_turn)
        move_job_time(s, sleeper);
    timers_expire(s, sleeper->timer, in_turn);
}

void sleepers_release(struct supervisor *s, const struct sleeper *sleeper, bool in_turn)
{
    if (sleeper->timer)
        release_timer(s, sleeper, in_turn);
    else if (sleeper->wait)
        release_kernels(s, sleeper, in_turn);
    else if (!sleeper->hold)
        release_task(s, sleeper, in_turn);
    else if (!wait_is_over(s, sleeper->hold)) {
        if (in_turn)
            move_job_time(s, sleeper);
        wait_time_is_up(s, sleeper->hold, in_turn);
    }
}
