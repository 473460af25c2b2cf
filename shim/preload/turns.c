/* SPDX-License-Identifier: MIT */
#include "turns.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "raw.h"
#include "task.h"
#include "poison.h"

#define SLOTS 64
#define SECOND INT64_C(1000000000)
#define PAUSE_NS 50000

/* More threads than slots: the rest goes on unordered. */
struct slot {
    _Atomic(struct detrun_task *) task; /**< NULL: free */
    _Atomic uint64_t target;            /**< base at the deadline */
    _Atomic int64_t turn_since;         /**< real time; 0: asleep */
    _Atomic int64_t paused_since;       /**< real time; 0: not waiting for an event */
};

static struct slot slots[SLOTS];

static int64_t real_now(void)
{
    struct timespec now = {0};
    raw_own(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

static struct slot *slot_of(const struct detrun_task *t)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load_explicit(&slots[i].task, memory_order_relaxed) == t)
            return &slots[i];
    return NULL;
}

static struct slot *take_slot(struct detrun_task *t)
{
    struct slot *own = slot_of(t);
    for (int i = 0; !own && i < SLOTS; i++) {
        struct detrun_task *expected = NULL;
        if (atomic_compare_exchange_strong(&slots[i].task, &expected, t))
            own = &slots[i];
    }
    return own;
}

static void set_slot(struct detrun_task *t, uint64_t target, int64_t turn_since)
{
    struct slot *own = take_slot(t);
    if (!own)
        return;
    atomic_store_explicit(&own->target, target, memory_order_relaxed);
    atomic_store_explicit(&own->paused_since, 0, memory_order_relaxed);
    atomic_store_explicit(&own->turn_since, turn_since, memory_order_release);
}

void turns_born(struct detrun_task *child)
{
    set_slot(child, atomic_load_explicit(&child->base, memory_order_relaxed), real_now());
}

static void set_pause(const struct detrun_task *t, int64_t since)
{
    struct slot *own = slot_of(t);
    if (own)
        atomic_store_explicit(&own->paused_since, since, memory_order_release);
}

void turns_pause(struct detrun_task *t)
{
    if (slot_of(t))
        set_pause(t, real_now());
}

void turns_resume(struct detrun_task *t)
{
    set_pause(t, 0);
}

void turns_yield(struct detrun_task *t)
{
    struct slot *own = slot_of(t);
    if (own)
        atomic_store_explicit(&own->task, NULL, memory_order_release);
}

void turns_sleep(struct detrun_task *t, uint64_t target)
{
    set_slot(t, target, 0);
}

static bool comes_first(const struct detrun_task *a, uint64_t target_a,
                        const struct detrun_task *b, uint64_t target_b)
{
    if (target_a != target_b)
        return target_a < target_b;
    if (a->parent == b->parent && a->number != b->number)
        return a->number < b->number;
    return a->lineage < b->lineage;
}

static bool holds_back(const struct slot *slot, int64_t now)
{
    int64_t turn = atomic_load_explicit(&slot->turn_since, memory_order_acquire);
    int64_t pause = atomic_load_explicit(&slot->paused_since, memory_order_acquire);
    return (turn == 0 || now - turn < TURNS_LIMIT) &&
           (pause == 0 || now - pause < TURNS_EVENT_LIMIT);
}

static bool must_wait(const struct detrun_task *t, uint64_t target, int64_t now)
{
    for (int i = 0; i < SLOTS; i++) {
        const struct detrun_task *other =
            atomic_load_explicit(&slots[i].task, memory_order_acquire);
        if (!other || other == t)
            continue;
        if (holds_back(&slots[i], now) && comes_first(other, atomic_load(&slots[i].target), t, target))
            return true;
    }
    return false;
}

void turns_wake(struct detrun_task *t)
{
    struct slot *own = slot_of(t);
    if (!own)
        return;
    uint64_t target = atomic_load_explicit(&own->target, memory_order_relaxed);
    int64_t start = real_now();
    int64_t now = start;
    while (now - start < TURNS_LIMIT && must_wait(t, target, now)) {
        struct timespec pause = {.tv_nsec = PAUSE_NS};
        raw_own(SYS_nanosleep, (long)&pause, 0);
        now = real_now();
    }
    atomic_store_explicit(&own->turn_since, now, memory_order_release);
}

void turns_forget(void)
{
    for (int i = 0; i < SLOTS; i++)
        atomic_store_explicit(&slots[i].task, NULL, memory_order_relaxed);
}
