/* SPDX-License-Identifier: MIT */
#include "turns.h"

#include <stdatomic.h>
#include <time.h>

#include "poison.h"
#include "raw.h"
#include "task.h"
#include "timespec.h"

#define SLOTS    64
#define PAUSE_NS 50000

enum activity {
    ASLEEP, /**< a time-out will run out */
    RUNNING,
    LOCKING, /**< waits on a futex, most likely for a lock that is about to be free */
    BLOCKED, /**< waits for input, a child or the like */
};

/* The owner tells what it does with plain stores; who is held back keeps the time. */
struct slot {
    _Atomic(struct detrun_task *) task; /**< NULL: free */
    _Atomic(const uint32_t *) word;     /**< the futex it waits on; never read through */
    _Atomic uint64_t target;            /**< its base, or what that will be after the sleep */
    _Atomic int64_t since;              /**< when the beat was first seen, real time in ns */
    _Atomic int64_t computed;           /**< the thread's CPU time then */
    _Atomic int64_t looked_at;          /**< real time of the last look at that */
    _Atomic int64_t computed_so_far;    /**< what it was then */
    _Atomic uint32_t activity;
    _Atomic uint32_t turn; /**< of those that wait on one futex the smaller came first */
    _Atomic uint32_t beat; /**< changes whenever the activity begins anew */
    _Atomic uint32_t seen; /**< the beat that somebody held back saw last */
};

static struct slot slots[SLOTS];
static _Atomic uint32_t threaded;
static _Atomic uint32_t waits;
static __thread struct slot *own_slot;

static int64_t kernel_clock(clockid_t id)
{
    struct timespec now = {0};
    raw_own(SYS_clock_gettime, id, (long)&now);
    return now.tv_sec * TIMESPEC_SECOND + now.tv_nsec;
}

static uint64_t base_of(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->base, memory_order_relaxed);
}

static struct detrun_task *held_by(const struct slot *slot)
{
    return atomic_load_explicit(&slot->task, memory_order_relaxed);
}

static struct slot *slot_of(const struct detrun_task *t)
{
    if (own_slot && held_by(own_slot) == t)
        return own_slot;
    for (int i = 0; i < SLOTS; i++)
        if (held_by(&slots[i]) == t)
            return &slots[i];
    return NULL;
}

/* A thread that ended without passing our trampoline left its slot behind. */
static bool is_over(const struct detrun_task *t)
{
    uint32_t state = lineage_state(t);
    return state == DETRUN_FREE || state == DETRUN_ENDED;
}

static struct slot *take_slot(struct detrun_task *t)
{
    struct slot *slot = slot_of(t);
    if (!slot && t->vpid != shim.vpid)
        return NULL; /* a vfork child, on this process's memory */
    for (int i = 0; !slot && i < SLOTS; i++) {
        struct detrun_task *held = held_by(&slots[i]);
        if ((!held || is_over(held)) && atomic_compare_exchange_strong(&slots[i].task, &held, t))
            slot = &slots[i];
    }
    if (t == task_current)
        own_slot = slot;
    return slot;
}

static void begin(struct slot *slot, enum activity activity, uint64_t target)
{
    atomic_store_explicit(&slot->target, target, memory_order_relaxed);
    uint32_t beat = atomic_load_explicit(&slot->beat, memory_order_relaxed);
    atomic_store_explicit(&slot->beat, beat + 1, memory_order_relaxed);
    atomic_store_explicit(&slot->activity, activity, memory_order_release);
}

static void set_running(struct detrun_task *t)
{
    struct slot *slot = take_slot(t);
    if (slot)
        begin(slot, RUNNING, base_of(t));
}

void turns_born(struct detrun_task *child)
{
    if (shim.sandboxed || task_leaves_real(DETRUN_SLEEP))
        return;
    if (!atomic_exchange_explicit(&threaded, 1, memory_order_relaxed))
        set_running(task_current);
    set_running(child);
}

void turns_end(struct detrun_task *t)
{
    struct slot *slot = slot_of(t);
    if (slot)
        atomic_store_explicit(&slot->task, NULL, memory_order_release);
}

void turns_pause(struct detrun_task *t)
{
    struct slot *slot = threaded ? slot_of(t) : NULL;
    if (slot)
        begin(slot, BLOCKED, base_of(t));
}

static void wait_on(struct slot *slot, const uint32_t *word)
{
    atomic_store_explicit(&slot->turn, atomic_fetch_add(&waits, 1), memory_order_relaxed);
    atomic_store_explicit(&slot->word, word, memory_order_release);
}

void turns_pause_on(struct detrun_task *t, const uint32_t *word)
{
    struct slot *slot = threaded ? slot_of(t) : NULL;
    if (!slot)
        return;
    wait_on(slot, word);
    begin(slot, LOCKING, base_of(t));
}

void turns_resume(struct detrun_task *t)
{
    if (threaded)
        set_running(t);
}

void turns_sleep(struct detrun_task *t, uint64_t target, const uint32_t *word)
{
    struct slot *slot = threaded ? take_slot(t) : NULL;
    if (!slot)
        return;
    wait_on(slot, word);
    begin(slot, ASLEEP, target);
}

static bool waits_on(const struct slot *slot, const uint32_t *word)
{
    uint32_t activity = atomic_load_explicit(&slot->activity, memory_order_relaxed);
    return (activity == ASLEEP || activity == LOCKING) && held_by(slot) &&
           atomic_load_explicit(&slot->word, memory_order_relaxed) == word;
}

/* The kernel's queue is first in, first out. */
static struct slot *first_waiter(const uint32_t *word)
{
    struct slot *first = NULL;
    for (int i = 0; i < SLOTS; i++)
        if (waits_on(&slots[i], word) && (!first || (int32_t)(slots[i].turn - first->turn) < 0))
            first = &slots[i];
    return first;
}

void turns_woken(const uint32_t *word, uint32_t n)
{
    for (struct slot *slot; threaded && n > 0 && (slot = first_waiter(word)) != NULL; n--) {
        const struct detrun_task *t = held_by(slot);
        if (!t)
            return; /* it went on and ended meanwhile */
        begin(slot, RUNNING, base_of(t));
    }
}

static bool comes_first(const struct slot *slot, const struct detrun_task *other,
                        const struct detrun_task *t, uint64_t target)
{
    uint64_t its = atomic_load_explicit(&slot->target, memory_order_relaxed);
    if (its != target)
        return its < target;
    if (other->parent == t->parent && other->number != t->number)
        return other->number < t->number;
    return other->lineage < t->lineage;
}

/* CPU time of another thread, linux/posix-timers.h. */
static int64_t computed_by(const struct slot *slot)
{
    const struct detrun_task *t = held_by(slot);
    int tid = t ? task_real_id(t) : 0;
    return kernel_clock((clockid_t)(~(unsigned)tid << 3 | 6));
}

static void look(struct slot *slot, int64_t now)
{
    atomic_store_explicit(&slot->looked_at, now, memory_order_relaxed);
    atomic_store_explicit(&slot->computed_so_far, computed_by(slot), memory_order_relaxed);
}

/* How long the present activity has lasted, as far as anybody has seen. */
static int64_t lasted(struct slot *slot, int64_t now)
{
    uint32_t beat = atomic_load_explicit(&slot->beat, memory_order_relaxed);
    if (atomic_exchange_explicit(&slot->seen, beat, memory_order_relaxed) != beat) {
        atomic_store_explicit(&slot->since, now, memory_order_relaxed);
        look(slot, now);
        atomic_store(&slot->computed, atomic_load(&slot->computed_so_far));
    }
    return now - atomic_load_explicit(&slot->since, memory_order_relaxed);
}

/* On a busy machine a running thread runs little. One that has not run at all for a while is
 * blocked in a call that is none of ours. */
static bool is_starved(struct slot *slot, int64_t now)
{
    int64_t before = atomic_load_explicit(&slot->computed_so_far, memory_order_relaxed);
    if (now - atomic_load_explicit(&slot->looked_at, memory_order_relaxed) < TURNS_LIMIT)
        return before != 0;
    look(slot, now);
    int64_t computed = atomic_load_explicit(&slot->computed_so_far, memory_order_relaxed);
    if (computed == before)
        atomic_store_explicit(&slot->computed_so_far, 0, memory_order_relaxed);
    return computed != before && computed - atomic_load(&slot->computed) < TURNS_LIMIT;
}

static bool is_computing(struct slot *slot, int64_t now)
{
    int64_t time = lasted(slot, now);
    return time < TURNS_LIMIT || (time < TURNS_PATIENCE && is_starved(slot, now));
}

/* limited: count only those whose time to hold others back is not up. */
static bool holds_back(struct slot *slot, int64_t now, bool limited)
{
    switch (atomic_load_explicit(&slot->activity, memory_order_acquire)) {
    case RUNNING:
        return !limited || is_computing(slot, now);
    case LOCKING:
        return limited && lasted(slot, now) < TURNS_EVENT_LIMIT;
    case ASLEEP:
        return limited;
    default:
        return false;
    }
}

static bool is_held_back(const struct detrun_task *t, uint64_t target, int64_t now, bool limited)
{
    for (int i = 0; i < SLOTS; i++) {
        const struct detrun_task *other =
            atomic_load_explicit(&slots[i].task, memory_order_acquire);
        if (other && other != t && holds_back(&slots[i], now, limited) &&
            comes_first(&slots[i], other, t, target))
            return true;
    }
    return false;
}

static bool has_come(const uint32_t *word, uint32_t value)
{
    return word && __atomic_load_n(word, __ATOMIC_ACQUIRE) != value;
}

/* Many threads one after the other may hold one back. On a busy machine that takes long and is
 * little work: what they computed counts. */
static bool is_patient(int64_t start, int64_t now, int64_t computed)
{
    int64_t waited = now - start;
    return waited < TURNS_LIMIT ||
           (waited < TURNS_PATIENCE &&
            kernel_clock(CLOCK_PROCESS_CPUTIME_ID) - computed < TURNS_LIMIT);
}

/* Until nobody holds it back, the event comes, or time is up. */
static int64_t stand_back(const struct detrun_task *t, uint64_t target, const uint32_t *word,
                          uint32_t value)
{
    int64_t start = kernel_clock(CLOCK_MONOTONIC);
    int64_t now = start;
    int64_t computed = kernel_clock(CLOCK_PROCESS_CPUTIME_ID);
    while (!has_come(word, value) && is_held_back(t, target, now, true) &&
           is_patient(start, now, computed)) {
        struct timespec pause = {.tv_nsec = PAUSE_NS};
        raw_own(SYS_nanosleep, (long)&pause, 0);
        now = kernel_clock(CLOCK_MONOTONIC);
    }
    return now;
}

enum turns_end turns_wake(struct detrun_task *t, const uint32_t *word, uint32_t value)
{
    struct slot *slot = threaded ? slot_of(t) : NULL;
    if (!slot)
        return TURNS_IN_TIME;
    uint64_t target = atomic_load_explicit(&slot->target, memory_order_relaxed);
    int64_t now = stand_back(t, target, word, value);
    bool in_time = !is_held_back(t, target, now, false);
    bool event = has_come(word, value);
    begin(slot, RUNNING, event ? base_of(t) : target);
    return event ? TURNS_EVENT : in_time ? TURNS_IN_TIME : TURNS_PREMATURE;
}

void turns_forget(void)
{
    if (!threaded)
        return; /* do not touch the page: after a fork that would copy it */
    for (int i = 0; i < SLOTS; i++)
        atomic_store_explicit(&slots[i].task, NULL, memory_order_relaxed);
    atomic_store_explicit(&threaded, 0, memory_order_relaxed);
}
