/* SPDX-License-Identifier: MIT */
/*
 * futex(2): deadlines on virtual clocks, and Lamport edges. A wake publishes the waker's base under
 * the futex's address; a waiter that was woken raises its own base to it.
 */
#include <errno.h>
#include <linux/futex.h>

#include "calls.h"
#include "clock.h"
#include "clock_id.h"
#include "futex.h"
#include "interrupts.h"
#include "poison.h"
#include "raw.h"
#include "task.h"
#include "timed.h"
#include "timespec.h"
#include "waits.h"

#define COMMAND(op) ((op)&FUTEX_CMD_MASK)

/* Private futexes of two processes may share an address. */
static struct detrun_futex *slot_of(const struct detrun_task *t, const uint32_t *word, int op,
                                    uint64_t *address)
{
    *address = (uint64_t)(uintptr_t)word;
    if (op & FUTEX_PRIVATE_FLAG)
        *address ^= (uint64_t)t->vpid << 32 | UINT64_C(1) << 63;
    uint64_t hash = *address * UINT64_C(0x9e3779b97f4a7c15);
    return &shim.memory->futexes[hash >> 52 & (DETRUN_FUTEX_SLOTS - 1)];
}

/* A word that threads lock on: whoever unlocks it hands nothing on. Words are aligned, so the
 * lowest bit of a slot's address is free to say so. */
#define LOCK_MARK UINT64_C(1)

static void mark_lock(const struct detrun_task *t, const uint32_t *word, int op)
{
    uint64_t address;
    struct detrun_futex *slot = slot_of(t, word, op, &address);
    atomic_store_explicit(&slot->address, address | LOCK_MARK, memory_order_release);
}

static void tell_wake(const struct detrun_task *t, const uint32_t *word, int op)
{
    uint64_t address;
    waits_wake(slot_of(t, word, op, &address));
}

/* @return false for a lock */
static bool publish(const struct detrun_task *t, const uint32_t *word, int op)
{
    uint64_t address;
    struct detrun_futex *slot = slot_of(t, word, op, &address);
    if (atomic_load_explicit(&slot->address, memory_order_acquire) == (address | LOCK_MARK))
        return false;
    uint64_t base = clock_hand_on(t);
    uint64_t moved = atomic_load_explicit(&t->moved[DETRUN_FAMILY_MONO], memory_order_relaxed);
    atomic_store_explicit(&slot->base, base, memory_order_relaxed);
    atomic_store_explicit(&slot->mono, base + moved, memory_order_relaxed);
    atomic_store_explicit(&slot->address, address, memory_order_release);
    return true;
}

static void take_over(struct detrun_task *t, const uint32_t *word, int op)
{
    uint64_t address;
    const struct detrun_futex *slot = slot_of(t, word, op, &address);
    if (atomic_load_explicit(&slot->address, memory_order_acquire) != address)
        return;
    clock_raise(t, atomic_load_explicit(&slot->base, memory_order_relaxed));
    clock_raise_mono(shim.memory, t, atomic_load_explicit(&slot->mono, memory_order_relaxed));
}

/* Whoever woke it may have told of an earlier wake alone: the present comes last. */
void futex_resume(struct detrun_task *t, const uint32_t *woken, int op)
{
    if (woken)
        take_over(t, woken, op);
    waits_resume(t);
}

/* glibc's mutexes wait with FUTEX_WAIT for the value 2: who happened to hold the lock is timing. */
static bool is_mutex(int op, uint32_t value, const struct timespec *timeout)
{
    return COMMAND(op) == FUTEX_WAIT && value == 2 && !timeout;
}

static long raw_futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout,
                      uint32_t value3)
{
    return raw6(SYS_futex, (long)word, op, value, (long)timeout, (long)DETRUN_PASS, value3);
}

static bool is_absolute(int op)
{
    int command = COMMAND(op);
    return command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
}

static enum detrun_family family_of(int op)
{
    bool wall = COMMAND(op) == FUTEX_LOCK_PI || (op & FUTEX_CLOCK_REALTIME) != 0;
    return wall ? DETRUN_FAMILY_WALL : DETRUN_FAMILY_MONO;
}

/* Of a shared one it may be the kernel: a thread's end is told by a futex. */
static enum detrun_waits_on waker_of(struct detrun_task *t, const uint32_t *word, int op)
{
    uint64_t address;
    return op & FUTEX_PRIVATE_FLAG ? waits_on_futex(t, slot_of(t, word, op, &address))
                                   : DETRUN_ON_OTHERS;
}

static long wait_until(struct detrun_task *t, uint32_t *word, int op, uint32_t value,
                       const struct timespec *timeout, uint32_t value3)
{
    struct timed_until until = timed_begin_until(t, waker_of(t, word, op), family_of(op), timeout);
    /* The relative form wherever there is one: it needs no look at the kernel's clock. */
    bool relative = COMMAND(op) == FUTEX_WAIT_BITSET && value3 == FUTEX_BITSET_MATCH_ANY;
    struct timespec real =
        relative ? timespec_of(until.real_ns) : timed_real(until.family, until.real_ns);
    int real_op = relative ? FUTEX_WAIT | (op & FUTEX_PRIVATE_FLAG) : op;
    long result = raw_futex(word, real_op, value, &real, value3);
    return timed_end_until(t, &until, result, relative ? word : NULL, value);
}

static long wait_for(struct detrun_task *t, uint32_t *word, int op, uint32_t value,
                     const struct timespec *timeout, uint32_t value3)
{
    uint64_t ns = timeout ? (uint64_t)timed_ns(timeout) : 0;
    struct timespec real;
    if (timeout)
        real = timespec_of(waits_sleep(t, waker_of(t, word, op), (int64_t)ns));
    else
        waits_pause(t, waker_of(t, word, op));
    long result = raw_futex(word, op, value, timeout ? &real : NULL, value3);
    interrupts_count(t, result, ns);
    if (result != -ETIMEDOUT)
        return result;
    enum waits_end end = waits_run_out(t, word, value);
    if (end == WAITS_EVENT)
        return 0;
    clock_sleep(shim.memory, t, ns);
    clock_keep(t, end == WAITS_EARLY ? ns : 0);
    return result;
}

static long wait_on(struct detrun_task *t, uint32_t *word, int op, uint32_t value,
                    const struct timespec *timeout, uint32_t value3)
{
    bool locks = is_mutex(op, value, timeout);
    if (locks)
        mark_lock(t, word, op);
    long result = timeout && is_absolute(op) ? wait_until(t, word, op, value, timeout, value3)
                                             : wait_for(t, word, op, value, timeout, value3);
    if (result != -ETIMEDOUT)
        futex_resume(t, result == 0 && !locks ? word : NULL, op);
    return result;
}

static bool is_wait(int op)
{
    int command = COMMAND(op);
    return command == FUTEX_WAIT || is_absolute(op);
}

/* --real: the clock that the deadline is on. */
static bool is_left_real(int op, const struct timespec *timeout)
{
    return timeout && is_absolute(op) && task_leaves_real(clock_source(family_of(op)));
}

static bool is_wake(int op)
{
    static const uint32_t wakes = 1U << FUTEX_WAKE | 1U << FUTEX_REQUEUE | 1U << FUTEX_CMP_REQUEUE |
                                  1U << FUTEX_WAKE_OP | 1U << FUTEX_UNLOCK_PI |
                                  1U << FUTEX_WAKE_BITSET | 1U << FUTEX_CMP_REQUEUE_PI;
    return COMMAND(op) < 32 && (wakes >> COMMAND(op) & 1) != 0;
}

static bool has_second_word(int op)
{
    return COMMAND(op) != FUTEX_WAKE && COMMAND(op) != FUTEX_WAKE_BITSET;
}

long call_futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout,
                uint32_t *word2, uint32_t value3)
{
    struct detrun_task *t = task_self();
    bool valid = !timeout || !is_wait(op) || timed_is_valid(timeout);
    if (t && valid && is_wait(op) && !is_left_real(op, timeout))
        return wait_on(t, word, op, value, timeout, value3);
    if (t && is_wake(op)) {
        tell_wake(t, word, op);
        if (has_second_word(op))
            tell_wake(t, word2, op);
    }
    bool handed = t && is_wake(op) && publish(t, word, op);
    if (handed && word2 && has_second_word(op))
        publish(t, word2, op);
    return raw6(SYS_futex, (long)word, op, value, (long)timeout, (long)word2, value3);
}
