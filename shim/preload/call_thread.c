/* SPDX-License-Identifier: MIT */
/*
 * Threads: a record each, prepared by the creator and handed over through libc's start argument.
 */
#include <errno.h>
#include <string.h>

#include "calls.h"
#include "clock.h"
#include "lock_wait.h"
#include "poison.h"
#include "raw.h"
#include "real.h"
#include "sites.h"
#include "task.h"

extern int pthread_attr_getdetachstate(const pthread_attr_t *, int *) __attribute__((weak));

/* What an ended thread's last destructors ask is answered from a copy. */
static struct detrun_task late;

static struct detrun_task *prepare(const void *thread, void *routine, void *argument)
{
    struct detrun_task *t = task_self();
    if (!t)
        return NULL;
    sites_arm();
    struct detrun_task *child = lineage_prepare(shim.memory, t, LINEAGE_THREAD);
    if (child) {
        child->start_routine = (uint64_t)(uintptr_t)routine;
        child->argument = (uint64_t)(uintptr_t)argument;
        __atomic_store_n(&child->handle, (uint64_t)(uintptr_t)thread, __ATOMIC_RELEASE);
        shim.threaded = true;
    }
    return child;
}

/* A detached thread may be over by now, and its record another's. */
static long created(int error, struct detrun_task *child, uint32_t nonce, unsigned long handle)
{
    if (error) {
        lineage_abandon(shim.memory, task_current, child);
    } else if (atomic_load_explicit(&child->nonce, memory_order_relaxed) == nonce) {
        __atomic_store_n(&child->handle, handle, __ATOMIC_RELEASE);
    }
    return error;
}

static void free_record(struct detrun_task *t)
{
    uint32_t flags = atomic_load_explicit(&t->flags, memory_order_relaxed);
    if (flags & DETRUN_TASK_TRACED)
        lineage_end(t);
    else
        lineage_free(shim.memory, t);
}

/* ENDED and DETACHED may meet in either order; whoever comes second frees. */
static void free_if_detached(struct detrun_task *t)
{
    bool detached =
        (atomic_load_explicit(&t->flags, memory_order_acquire) & DETRUN_TASK_DETACHED) != 0;
    if (detached && lineage_state(t) == DETRUN_ENDED)
        free_record(t);
}

static void leave(struct detrun_task *t)
{
    memcpy(&late, t, sizeof(late));
    task_current = &late;
    lineage_end(t);
    free_if_detached(t);
}

static void *run_thread(void *prepared)
{
    struct detrun_task *t = prepared;
    void *(*routine)(void *) = (void *(*)(void *))(uintptr_t)t->start_routine;
    void *argument = (void *)(uintptr_t)t->argument;
    task_start_thread(t);
    void *value = routine(argument);
    leave(t);
    return value;
}

static int run_c11_thread(void *prepared)
{
    struct detrun_task *t = prepared;
    int (*routine)(void *) = (int (*)(void *))(uintptr_t)t->start_routine;
    void *argument = (void *)(uintptr_t)t->argument;
    task_start_thread(t);
    int value = routine(argument);
    leave(t);
    return value;
}

static bool is_detached(const pthread_attr_t *attributes)
{
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes && pthread_attr_getdetachstate)
        pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

long libc_pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                         void *(*routine)(void *), void *restrict argument)
{
    struct detrun_task *child = prepare(thread, (void *)(uintptr_t)routine, argument);
    if (!child)
        return REAL_LIBC(pthread_create)(thread, attributes, routine, argument);
    if (is_detached(attributes))
        atomic_fetch_or_explicit(&child->flags, DETRUN_TASK_DETACHED, memory_order_relaxed);
    uint32_t nonce = atomic_load_explicit(&child->nonce, memory_order_relaxed);
    int error = REAL_LIBC(pthread_create)(thread, attributes, run_thread, child);
    return created(error, child, nonce, error ? 0 : *thread);
}

long libc_thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
    struct detrun_task *child = prepare(thread, (void *)(uintptr_t)routine, argument);
    if (!child)
        return REAL_LIBC(thrd_create)(thread, routine, argument);
    uint32_t nonce = atomic_load_explicit(&child->nonce, memory_order_relaxed);
    int error = REAL_LIBC(thrd_create)(thread, run_c11_thread, child);
    return created(error, child, nonce, error ? 0 : *thread);
}

/* By its handle, for a thread that has not run yet. */
static struct detrun_task *search(unsigned long handle)
{
    struct detrun_memory *m = shim.memory;
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
        for (; used; used &= used - 1) {
            struct detrun_task *t = &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
            if (t->handle == handle && t->vpid == task_current->vpid)
                return t;
        }
    }
    return NULL;
}

/* @return the record behind a handle, while that is valid; NULL if it is none of ours */
static struct detrun_task *record_of(unsigned long thread)
{
    if (!task_self())
        return NULL;
    struct detrun_task *t = task_of_pthread(thread);
    return t ? t : search(thread);
}

static void joined(struct detrun_task *other, bool blocking)
{
    struct detrun_task *t = task_self();
    if (!t || !other)
        return;
    if (blocking)
        clock_join(t, other);
    else
        clock_defer(t, other);
    free_record(other);
}

long libc_pthread_join(pthread_t thread, void **value)
{
    struct detrun_task *other = record_of(thread);
    int error = REAL_LIBC(pthread_join)(thread, value);
    if (error == 0)
        joined(other, true);
    return error;
}

long libc_thrd_join(thrd_t thread, int *value)
{
    struct detrun_task *other = record_of(thread);
    int error = REAL_LIBC(thrd_join)(thread, value);
    if (error == thrd_success)
        joined(other, true);
    return error;
}

long libc_pthread_tryjoin_np(pthread_t thread, void **value)
{
    struct detrun_task *other = record_of(thread);
    int error = REAL_LIBC(pthread_tryjoin_np)(thread, value);
    if (error == 0)
        joined(other, false);
    return error;
}

long libc_pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *deadline)
{
    struct detrun_task *other = record_of(thread);
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    const struct timespec *until = lock_wait_deadline(&w, deadline);
    long error = lock_wait_end(&w, REAL_LIBC(pthread_timedjoin_np)(thread, value, until));
    if (error == 0)
        joined(other, true);
    return error;
}

long libc_pthread_detach(pthread_t thread)
{
    struct detrun_task *other = record_of(thread);
    int error = REAL_LIBC(pthread_detach)(thread);
    if (error == 0 && other) {
        atomic_fetch_or_explicit(&other->flags, DETRUN_TASK_DETACHED, memory_order_acq_rel);
        free_if_detached(other);
    }
    return error;
}
