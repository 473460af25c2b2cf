/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Virtual clocks of one task: pure arithmetic on its record. Times are nanoseconds.
 *
 * A view is start + base + what reads moved; the CPU family leaves the base out. The base is what
 * was slept, by the task itself or by whom it waited for. Context: the task itself, its signal
 * handlers, or the supervisor while the task is held in a notification.
 *
 * With DETRUN_FLAG_JOB_CLOCK wall and monotonic time are one word each, shared by the whole job: a
 * read moves it by one atomic addition, whose result nobody else gets. `moved` then is what the
 * task last saw of it, and a sleep raises the word to that and the sleep's length.
 */
#ifndef DETRUN_CORE_CLOCK_H
#define DETRUN_CORE_CLOCK_H

#include <stdbool.h>

#include "detrun/abi.h"
#include "owned.h"

/**
 * The spin guard: after a number of reads of a clock whose step is below CLOCK_GUARD_STEP_NS, with
 * no wait in between, each further read moves it, faster and faster. The number lies above what
 * runtimes read on their own account (a JVM that compiles a file: 60,000); where each read is a
 * notification, so that a loop would take long to get there, it is smaller. All this is part of
 * every answer: a change raises DETRUN_STREAM_VERSION.
 */
#define CLOCK_GUARD_READS          (UINT32_C(1) << 20)
#define CLOCK_GUARD_READS_NOTIFIED (UINT32_C(1) << 14)
#define CLOCK_GUARD_STEP_NS        UINT64_C(100000)

/**
 * Where monotonic clocks start, ns: programs make seeds of the monotonic clock (Java's
 * Math.random, for one), and two job seeds must give two of them.
 */
int64_t clock_start_of_key(const uint8_t key[32]);

/** Its clocks read what they read at the start of a job with that key, monotonic ones later by
 * DETRUN_TEST_LEAP_NS; the base stays, for the job's time goes on. Not with a clock for the whole
 * job. */
void clock_restart(const struct detrun_memory *m, struct detrun_task *t, const uint8_t key[32]);

static inline int64_t clock_start(const struct detrun_memory *m, enum detrun_family family)
{
    if (family == DETRUN_FAMILY_CPU)
        return (int64_t)DETRUN_CPU_START_NS;
    return family == DETRUN_FAMILY_WALL ? m->params.epoch_ns : m->params.mono_start_ns;
}

/** Where a family starts, and how far sleeping has moved it: the hot path of every read. */
static inline int64_t clock_origin(const struct detrun_memory *m, const struct detrun_task *t,
                                   enum detrun_family family)
{
    int64_t start = clock_start(m, family);
    if (family == DETRUN_FAMILY_CPU)
        return start;
    return start + (int64_t)atomic_load_explicit(&t->base, memory_order_relaxed);
}

/** Is this family one clock for the whole job? */
static inline bool clock_is_shared(const struct detrun_memory *m, enum detrun_family family)
{
    return __builtin_expect(m->params.flags & DETRUN_FLAG_JOB_CLOCK, 0) &&
           family != DETRUN_FAMILY_CPU;
}

/** A read that moves the job's clock by step, and a look at it. */
int64_t clock_read_shared(struct detrun_memory *m, struct detrun_task *t, enum detrun_family family,
                          uint64_t step);
int64_t clock_view_shared(const struct detrun_memory *m, enum detrun_family family);

/** How far a read moves that is this many beyond the guard's threshold. */
uint64_t clock_guard_step(struct detrun_memory *m, const struct detrun_task *t, uint32_t beyond);

/** One read: moves the family by its step and returns the new time. */
static inline int64_t clock_read(struct detrun_memory *m, struct detrun_task *t,
                                 enum detrun_family family)
{
    uint64_t step = m->params.step_ns[family];
    if (step < CLOCK_GUARD_STEP_NS) {
        uint32_t spins = t->spins;
        owned_count(&t->spins);
        if (__builtin_expect(spins >= t->guard_reads, 0))
            step += clock_guard_step(m, t, spins - t->guard_reads);
    }
    if (clock_is_shared(m, family))
        return clock_read_shared(m, t, family, step);
    uint64_t moved = step == 0 ? atomic_load_explicit(&t->moved[family], memory_order_relaxed)
                               : owned_fetch_add(&t->moved[family], step) + step;
    return clock_origin(m, t, family) + (int64_t)moved;
}

/** The same time, without a read. */
static inline int64_t clock_view(const struct detrun_memory *m, const struct detrun_task *t,
                                 enum detrun_family family)
{
    if (clock_is_shared(m, family))
        return clock_view_shared(m, family);
    uint64_t moved = atomic_load_explicit(&t->moved[family], memory_order_relaxed);
    return clock_origin(m, t, family) + (int64_t)moved;
}

/** The wall clock moves a little, though nobody reads it. */
static inline void clock_tick(struct detrun_memory *m, struct detrun_task *t, uint64_t ns)
{
    if (clock_is_shared(m, DETRUN_FAMILY_WALL))
        clock_read_shared(m, t, DETRUN_FAMILY_WALL, ns);
    else
        owned_add(&t->moved[DETRUN_FAMILY_WALL], ns);
}

/** The job's time: how far sleeping has moved it, ns. */
static inline uint64_t clock_job(const struct detrun_memory *m)
{
    return atomic_load_explicit(&m->shared.now, memory_order_acquire);
}

/** The task slept for exactly this long. */
void clock_sleep(struct detrun_memory *m, struct detrun_task *t, uint64_t ns);

/**
 * A wait ended at its deadline: the view is there exactly, or was there already and moves by 1 ns,
 * because programs that go on waiting until the clock is beyond their deadline (Ruby's sleep) see
 * every real wait end a little late.
 */
void clock_reach(struct detrun_memory *m, struct detrun_task *t, enum detrun_family family,
                 int64_t deadline);

/**
 * Lamport edges. A wait that an event ends raises the waiter's base to what its waker hands on, and
 * from then on the waiter hands that on too, plus what it sleeps itself: it acts for its waker.
 * What it had slept before, it slept for itself: a JVM's service threads idle in real time, and
 * handed on, that would show in the clock of whoever meets them at a safepoint. Back-off sleeps of
 * at most CLOCK_BACK_OFF_NS are not handed on either: they count the rounds of a spin.
 */
#define CLOCK_BACK_OFF_NS UINT64_C(1000000)

/**
 * A relative sleep of at most CLOCK_YIELD_NS ended: a spin's way to yield (a JVM's at each
 * handshake; no kernel wakes anyone that soon), whose rounds are timing. It moves nothing, but
 * counts as CLOCK_YIELD_READS towards the spin guard.
 */
#define CLOCK_YIELD_NS    UINT64_C(10000)
#define CLOCK_YIELD_READS 256U
void clock_yield(struct detrun_task *t);

/** The sleep just accounted for was a relative one, perhaps a back-off. */
void clock_back_off(struct detrun_task *t, uint64_t ns);

/** The sleep just accounted for ran out while an earlier thread was running: it is the task's own.
 */
void clock_keep(struct detrun_task *t, uint64_t ns);

/** What the task hands on to those it is about to wake. */
uint64_t clock_hand_on(const struct detrun_task *t);

/** The waker's hand-on arrives. */
void clock_raise(struct detrun_task *t, uint64_t base);

/**
 * The waker's monotonic view arrives: where reads move it, a worker would else lag behind a
 * deadline that its client made, and wait for it in real time.
 */
void clock_raise_mono(const struct detrun_memory *m, struct detrun_task *t, uint64_t mono);

/** A new task starts where its creator stands. */
void clock_inherit(struct detrun_task *child, const struct detrun_task *creator);

/** The same for a creator that reads and sleeps as often as its runtime likes: Go's. */
void clock_inherit_little(struct detrun_task *child, const struct detrun_task *creator);

/** A blocking wait or join saw this task end: nothing is earlier than its last reading. */
void clock_join(struct detrun_task *t, const struct detrun_task *ended);

/** This task was reaped at a moment that is none of the program's order: nothing shows yet. */
void clock_defer(struct detrun_task *t, const struct detrun_task *ended);

/** What was deferred comes due. */
void clock_settle(struct detrun_task *t);

#endif
