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

enum activity { ASLEEP, RUNNING, WAITING };

struct slot {
    _Atomic(struct detrun_task *) task; /**< NULL: free */
    _Atomic uint64_t target;            /**< its base, or what that will be after the sleep */
    _Atomic uint32_t activity;
    _Atomic int64_t running_since; /**< real time, ns */
    _Atomic int64_t waiting_since;
};

static struct slot slots[SLOTS];
static _Atomic uint32_t threaded;

static int64_t real_now(void)
{
    struct timespec now = {0};
    raw_own(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now);
    return now.tv_sec * TIMESPEC_SECOND + now.tv_nsec;
}

static uint64_t base_of(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->base, memory_order_relaxed);
}

static struct slot *slot_of(const struct detrun_task *t)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load_explicit(&slots[i].task, memory_order_relaxed) == t)
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
    struct slot *own = slot_of(t);
    for (int i = 0; !own && i < SLOTS; i++) {
        struct detrun_task *held = atomic_load_explicit(&slots[i].task, memory_order_relaxed);
        if ((!held || is_over(held)) && atomic_compare_exchange_strong(&slots[i].task, &held, t))
            own = &slots[i];
    }
    return own;
}

static void set_running(struct detrun_task *t)
{
    struct slot *own = take_slot(t);
    if (!own)
        return;
    atomic_store_explicit(&own->target, base_of(t), memory_order_relaxed);
    atomic_store_explicit(&own->running_since, real_now(), memory_order_relaxed);
    atomic_store_explicit(&own->activity, RUNNING, memory_order_release);
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
    struct slot *own = slot_of(t);
    if (own)
        atomic_store_explicit(&own->task, NULL, memory_order_release);
}

void turns_pause(struct detrun_task *t, bool brief)
{
    struct slot *own = threaded ? slot_of(t) : NULL;
    if (!own)
        return;
    atomic_store_explicit(&own->waiting_since, brief ? real_now() : 0, memory_order_relaxed);
    atomic_store_explicit(&own->activity, WAITING, memory_order_release);
}

void turns_resume(struct detrun_task *t)
{
    if (threaded)
        set_running(t);
}

void turns_sleep(struct detrun_task *t, uint64_t target)
{
    struct slot *own = threaded ? take_slot(t) : NULL;
    if (!own)
        return;
    atomic_store_explicit(&own->target, target, memory_order_relaxed);
    atomic_store_explicit(&own->activity, ASLEEP, memory_order_release);
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

/* limited: count only those whose time to hold others back is not up. */
static bool holds_back(const struct slot *slot, int64_t now, bool limited)
{
    switch (atomic_load_explicit(&slot->activity, memory_order_acquire)) {
    case RUNNING:
        return !limited || now - atomic_load(&slot->running_since) < TURNS_LIMIT;
    case WAITING:
        return limited && now - atomic_load(&slot->waiting_since) < TURNS_EVENT_LIMIT;
    default:
        return limited;
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

bool turns_wake(struct detrun_task *t)
{
    struct slot *own = threaded ? slot_of(t) : NULL;
    if (!own)
        return true;
    uint64_t target = atomic_load_explicit(&own->target, memory_order_relaxed);
    int64_t start = real_now();
    int64_t now = start;
    while (now - start < TURNS_LIMIT && is_held_back(t, target, now, true)) {
        struct timespec pause = {.tv_nsec = PAUSE_NS};
        raw_own(SYS_nanosleep, (long)&pause, 0);
        now = real_now();
    }
    bool in_time = !is_held_back(t, target, now, false);
    atomic_store_explicit(&own->running_since, now, memory_order_relaxed);
    atomic_store_explicit(&own->activity, RUNNING, memory_order_release);
    return in_time;
}

void turns_forget(void)
{
    if (!threaded)
        return; /* do not touch the page: after a fork that would copy it */
    for (int i = 0; i < SLOTS; i++)
        atomic_store_explicit(&slots[i].task, NULL, memory_order_relaxed);
    atomic_store_explicit(&threaded, 0, memory_order_relaxed);
}
