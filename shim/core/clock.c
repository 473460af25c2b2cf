/* SPDX-License-Identifier: MIT */
#include "clock.h"

#include <string.h>

/* A guarded read moves 1 us at first, twice as much after each 64th of the reads that set the guard
 * off, 1 ms at most: a loop that waits for ten seconds ends after some 9/64 more. */
#define GUARD_FIRST_NS  1000
#define GUARD_PARTS     64
#define GUARD_DOUBLINGS 10

static uint64_t load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

int64_t clock_start_of_key(const uint8_t key[32])
{
    uint32_t word;
    memcpy(&word, key, sizeof(word));
    return (int64_t)DETRUN_MONOTONIC_START_NS + word % 1000000000;
}

uint64_t clock_guard_step(struct detrun_memory *m, const struct detrun_task *t, uint32_t beyond)
{
    if (beyond == 0)
        atomic_fetch_add_explicit(&m->shared.gaps[DETRUN_GAP_SPIN_GUARD], 1, memory_order_relaxed);
    uint32_t doublings = beyond / (t->guard_reads / GUARD_PARTS);
    return (uint64_t)GUARD_FIRST_NS << (doublings < GUARD_DOUBLINGS ? doublings : GUARD_DOUBLINGS);
}

static void move_base(struct detrun_task *t, uint64_t ns)
{
    owned_add(&t->base, ns);
    t->spins = 0;
}

static const enum detrun_family shared_families[] = {DETRUN_FAMILY_WALL, DETRUN_FAMILY_MONO};
#define SHARED_FAMILIES (sizeof(shared_families) / sizeof(shared_families[0]))

static void see(struct detrun_task *t, enum detrun_family family, uint64_t word)
{
    atomic_store_explicit(&t->moved[family], word, memory_order_relaxed);
}

int64_t clock_read_shared(struct detrun_memory *m, struct detrun_task *t, enum detrun_family family,
                          uint64_t step)
{
    _Atomic uint64_t *word = &m->shared.job_clock[family];
    uint64_t now = step == 0 ? atomic_load_explicit(word, memory_order_acquire)
                             : atomic_fetch_add_explicit(word, step, memory_order_acq_rel) + step;
    see(t, family, now);
    return clock_start(m, family) + (int64_t)now;
}

int64_t clock_view_shared(const struct detrun_memory *m, enum detrun_family family)
{
    uint64_t now = atomic_load_explicit(&m->shared.job_clock[family], memory_order_acquire);
    return clock_start(m, family) + (int64_t)now;
}

static void raise_shared(_Atomic uint64_t *word, uint64_t to)
{
    uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
    while (seen < to && !atomic_compare_exchange_weak_explicit(
                            word, &seen, to, memory_order_acq_rel, memory_order_relaxed))
        ;
}

/* Two that sleep a second at once let a second pass, not two. */
static void sleep_shared(struct detrun_memory *m, struct detrun_task *t, uint64_t ns)
{
    for (size_t i = 0; i < SHARED_FAMILIES; i++) {
        enum detrun_family family = shared_families[i];
        uint64_t until = load(&t->moved[family]) + ns;
        see(t, family, until);
        raise_shared(&m->shared.job_clock[family], until);
    }
}

void clock_sleep(struct detrun_memory *m, struct detrun_task *t, uint64_t ns)
{
    move_base(t, ns);
    if (m->params.flags & DETRUN_FLAG_JOB_CLOCK)
        sleep_shared(m, t, ns);
}

/* What is left of a deadline counts from the job's present, not from what the task last saw. */
static void look_at_shared(const struct detrun_memory *m, struct detrun_task *t)
{
    if (m->params.flags & DETRUN_FLAG_JOB_CLOCK)
        for (size_t i = 0; i < SHARED_FAMILIES; i++)
            see(t, shared_families[i], load(&m->shared.job_clock[shared_families[i]]));
}

void clock_reach(struct detrun_memory *m, struct detrun_task *t, enum detrun_family family,
                 int64_t deadline)
{
    look_at_shared(m, t);
    int64_t view = clock_view(m, t, family);
    clock_sleep(m, t, deadline > view ? (uint64_t)(deadline - view) : 1);
}

void clock_keep(struct detrun_task *t, uint64_t ns)
{
    t->kept += ns;
}

void clock_yield(struct detrun_task *t)
{
    t->spins += CLOCK_YIELD_READS;
}

void clock_back_off(struct detrun_task *t, uint64_t ns)
{
    if (ns <= CLOCK_BACK_OFF_NS)
        clock_keep(t, ns);
}

uint64_t clock_hand_on(const struct detrun_task *t)
{
    return load(&t->base) - t->kept;
}

void clock_raise(struct detrun_task *t, uint64_t base)
{
    uint64_t mine = load(&t->base);
    if (base > mine)
        move_base(t, base - mine);
    t->kept = load(&t->base) - base;
}

/* Views are sums that wrap around: what the base has is taken off again. */
void clock_restart(const struct detrun_memory *m, struct detrun_task *t, const uint8_t key[32])
{
    uint64_t base = load(&t->base);
    uint64_t start = (uint64_t)clock_start_of_key(key) + DETRUN_TEST_LEAP_NS;
    uint64_t shift = start - (uint64_t)m->params.mono_start_ns;
    if (m->params.flags & DETRUN_FLAG_JOB_CLOCK)
        return;
    atomic_store_explicit(&t->moved[DETRUN_FAMILY_WALL], 0 - base, memory_order_relaxed);
    atomic_store_explicit(&t->moved[DETRUN_FAMILY_MONO], shift - base, memory_order_relaxed);
    atomic_store_explicit(&t->moved[DETRUN_FAMILY_CPU], 0, memory_order_relaxed);
    t->wall_at_start = 0 - base;
    t->pending_base = 0;
    t->pending_wall = 0;
    t->spins = 0;
}

void clock_inherit(struct detrun_task *child, const struct detrun_task *creator)
{
    atomic_store_explicit(&child->base, load(&creator->base), memory_order_relaxed);
    child->kept = creator->kept;
    for (int f = 0; f < DETRUN_FAMILIES; f++)
        atomic_store_explicit(&child->moved[f],
                              f == DETRUN_FAMILY_CPU ? 0 : load(&creator->moved[f]),
                              memory_order_relaxed);
    child->wall_at_start = load(&child->moved[DETRUN_FAMILY_WALL]);
}

void clock_inherit_little(struct detrun_task *child, const struct detrun_task *creator)
{
    atomic_store_explicit(&child->base, clock_hand_on(creator), memory_order_relaxed);
    child->kept = 0;
    child->wall_at_start = creator->wall_at_start;
    atomic_store_explicit(&child->moved[DETRUN_FAMILY_WALL], creator->wall_at_start,
                          memory_order_relaxed);
}

/* Raise base and wall view; a base alone would let `date; date` print the same time for ever. */
static void raise_views(struct detrun_task *t, uint64_t base, uint64_t wall)
{
    uint64_t mine = load(&t->base);
    if (base > mine)
        move_base(t, base - mine);
    uint64_t view = load(&t->base) + load(&t->moved[DETRUN_FAMILY_WALL]);
    if (wall > view)
        owned_add(&t->moved[DETRUN_FAMILY_WALL], wall - view);
}

static uint64_t wall_offset(const struct detrun_task *t)
{
    return load(&t->base) + load(&t->moved[DETRUN_FAMILY_WALL]);
}

static void raise_mono(struct detrun_task *t, uint64_t mono)
{
    uint64_t mine = load(&t->base) + load(&t->moved[DETRUN_FAMILY_MONO]);
    if (mono > mine)
        owned_add(&t->moved[DETRUN_FAMILY_MONO], mono - mine);
}

void clock_raise_mono(const struct detrun_memory *m, struct detrun_task *t, uint64_t mono)
{
    if (m->params.step_ns[DETRUN_FAMILY_MONO] != 0 && !clock_is_shared(m, DETRUN_FAMILY_MONO))
        raise_mono(t, mono);
}

/* A test that began in one of them restarted its clocks: their views are nothing to the other, who
 * may be the harness that waits for one test after the other. */
static bool have_one_clock(const struct detrun_task *a, const struct detrun_task *b)
{
    uint32_t flags = atomic_load_explicit(&a->flags, memory_order_relaxed);
    uint32_t others = atomic_load_explicit(&b->flags, memory_order_relaxed);
    if ((flags | others) & DETRUN_TASK_KEYED)
        return (flags & others & DETRUN_TASK_KEYED) && memcmp(a->key, b->key, sizeof(a->key)) == 0;
    return true;
}

void clock_join(struct detrun_task *t, const struct detrun_task *ended)
{
    bool one = have_one_clock(t, ended);
    raise_views(t, load(&ended->base), one ? wall_offset(ended) : 0);
    if (one)
        raise_mono(t, load(&ended->base) + load(&ended->moved[DETRUN_FAMILY_MONO]));
}

void clock_defer(struct detrun_task *t, const struct detrun_task *ended)
{
    if (load(&ended->base) > t->pending_base)
        t->pending_base = load(&ended->base);
    if (have_one_clock(t, ended) && wall_offset(ended) > t->pending_wall)
        t->pending_wall = wall_offset(ended);
}

void clock_settle(struct detrun_task *t)
{
    uint64_t base = t->pending_base;
    uint64_t wall = t->pending_wall;
    if ((base | wall) == 0)
        return;
    t->pending_base = 0;
    t->pending_wall = 0;
    raise_views(t, base, wall);
}
