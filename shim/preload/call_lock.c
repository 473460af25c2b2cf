/* SPDX-License-Identifier: MIT */
/*
 * Timed waits of pthreads, C11 threads and semaphores.
 */
#include "lock_wait.h"

#include <errno.h>
#include <semaphore.h>
#include <threads.h>

#include "calls.h"
#include "clock_id.h"
#include "poison.h"
#include "real.h"
#include "sites.h"
#include "task.h"
#include "timespec.h"
#include "waits.h"

struct lock_wait lock_wait_begin(clockid_t id, const struct timespec *deadline)
{
    struct lock_wait w = {.task = NULL};
    int family = shim.glibc ? -1 : clock_family(id);
    sites_arm();
    if (family < 0 || !timed_is_valid(deadline) ||
        task_leaves_real(clock_source((enum detrun_family)family)))
        return w;
    w.task = task_self();
    if (!w.task)
        return w;
    w.until = timed_begin_until(w.task, DETRUN_ON_OTHERS, (enum detrun_family)family, deadline);
    int64_t later = w.until.real_ns - w.until.left;
    w.deadline =
        w.until.deadline < INT64_MAX - later ? timespec_of(w.until.deadline + later) : *deadline;
    return w;
}

long lock_wait_end(const struct lock_wait *w, long error)
{
    if (!w->task)
        return error;
    error = -timed_end_until(w->task, &w->until, -error, NULL, 0);
    if (error != ETIMEDOUT)
        waits_resume(w->task);
    return error;
}

/* musl's pthread_cond_t has its clock as the fifth int (_c_clock). */
static clockid_t clock_of(const void *cond)
{
    return ((const int *)cond)[4];
}

long libc_pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                 const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(clock_of(cond), deadline);
    return lock_wait_end(
        &w, REAL_LIBC(pthread_cond_timedwait)(cond, mutex, lock_wait_deadline(&w, deadline)));
}

long libc_pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                 clockid_t id, const struct timespec *restrict deadline)
{
    sites_arm();
    return REAL_LIBC(pthread_cond_clockwait)(cond, mutex, id, deadline);
}

long libc_pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    return lock_wait_end(
        &w, REAL_LIBC(pthread_mutex_timedlock)(mutex, lock_wait_deadline(&w, deadline)));
}

long libc_pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t id,
                                  const struct timespec *restrict deadline)
{
    sites_arm();
    return REAL_LIBC(pthread_mutex_clocklock)(mutex, id, deadline);
}

long libc_pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                                     const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    return lock_wait_end(
        &w, REAL_LIBC(pthread_rwlock_timedrdlock)(lock, lock_wait_deadline(&w, deadline)));
}

long libc_pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                                     const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    return lock_wait_end(
        &w, REAL_LIBC(pthread_rwlock_timedwrlock)(lock, lock_wait_deadline(&w, deadline)));
}

/* C11's have results of their own, of which only the end of the time counts here. */
static long end_c11(const struct lock_wait *w, long result)
{
    long error = lock_wait_end(w, result == thrd_timedout ? ETIMEDOUT : 0);
    return result == thrd_timedout && error == 0 ? thrd_success : result;
}

long libc_cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
                        const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    return end_c11(&w, REAL_LIBC(cnd_timedwait)(cond, mutex, lock_wait_deadline(&w, deadline)));
}

long libc_mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    return end_c11(&w, REAL_LIBC(mtx_timedlock)(mutex, lock_wait_deadline(&w, deadline)));
}

long libc_sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline)
{
    struct lock_wait w = lock_wait_begin(CLOCK_REALTIME, deadline);
    return -lock_wait_end(
        &w, -real_result(REAL_LIBC(sem_timedwait)(sem, lock_wait_deadline(&w, deadline))));
}

long libc_sem_clockwait(sem_t *restrict sem, clockid_t id, const struct timespec *restrict deadline)
{
    sites_arm();
    return real_result(REAL_LIBC(sem_clockwait)(sem, id, deadline));
}
