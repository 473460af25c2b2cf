/* SPDX-License-Identifier: MIT */
/*
 * Waits take real time. A wait that runs out moves the caller's view by exactly what it asked for;
 * one that an event ends does not (the futex edges of futex.c carry the waker's time), and one that
 * a signal ends only as interrupts.h says.
 */
#include <errno.h>
#include <unistd.h>

#include "calls.h"
#include "clock.h"
#include "cpu_clock.h"
#include "interrupts.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "signals.h"
#include "sites.h"
#include "task.h"
#include "timespec.h"
#include "turns.h"

#define MILLISECOND INT64_C(1000000)

static int64_t ns_of(const struct timespec *ts)
{
    int64_t ns;
    if (__builtin_mul_overflow(ts->tv_sec, TIMESPEC_SECOND, &ns) ||
        __builtin_add_overflow(ns, ts->tv_nsec, &ns))
        return INT64_MAX;
    return ns;
}

static bool is_valid(const struct timespec *ts)
{
    return ts && reach_readable(ts, sizeof(*ts)) && ts->tv_sec >= 0 && ts->tv_nsec >= 0 &&
           ts->tv_nsec < TIMESPEC_SECOND;
}

/* The symbol's handler is at work and accounts for the sleep: its own passage through libc's site
 * goes straight to the kernel, which looks at TIMER_ABSTIME alone. (A mark in the thread instead
 * would stay there when a handler jumps out of the sleep.) */
#define PASSING 0x40000000

static long real_sleep(clockid_t id, int flags, const struct timespec *request,
                       struct timespec *remaining)
{
    return REAL_LIBC(clock_nanosleep)(id, flags | PASSING, request, remaining);
}

static void ran_out(struct detrun_task *t, uint64_t ns)
{
    bool premature = turns_wake(t, NULL, 0) == TURNS_PREMATURE;
    clock_sleep(shim.memory, t, ns);
    clock_keep(t, premature ? ns : 0);
}

/* The kernel counts what is left to the moment its timer goes off at the latest: an early signal
 * leaves up to 50 us more than was asked for. */
static int64_t slept_before_signal(const struct timespec *request, const struct timespec *remaining)
{
    int64_t ns = ns_of(request) - ns_of(remaining);
    return ns > 0 ? ns : 0;
}

/* How a sleep ended decides how far the view moves. */
static void slept(struct detrun_task *t, const struct timespec *request,
                  const struct timespec *remaining, long error)
{
    if (error == 0) {
        ran_out(t, (uint64_t)ns_of(request));
        return;
    }
    turns_resume(t);
    clock_sleep(shim.memory, t,
                error == EINTR ? (uint64_t)slept_before_signal(request, remaining) : 0);
}

static long sleep_relative(struct detrun_task *t, clockid_t id, const struct timespec *request,
                           struct timespec *remaining)
{
    if (!is_valid(request))
        return real_sleep(id, 0, request, remaining);
    uint64_t ns = (uint64_t)ns_of(request);
    if (ns <= CLOCK_YIELD_NS) {
        clock_yield(t);
        return real_sleep(id, 0, request, remaining);
    }
    /* A signal may come before the kernel has begun to sleep, held in a notification: then it
     * leaves the time that is left as it was, which is all of it. */
    struct timespec rest = *request;
    turns_sleep(t, atomic_load(&t->base) + ns, NULL);
    long error = real_sleep(id, 0, request, &rest);
    slept(t, request, &rest, error);
    clock_back_off(t, error ? 0 : ns);
    if (error != EINTR || !remaining)
        return error;
    if (reach_writable(remaining, sizeof(*remaining)) != sizeof(*remaining))
        return EFAULT;
    *remaining = rest;
    return error;
}

/* The virtual deadline becomes a relative real sleep on a clock that nobody sets. */
static long sleep_until(struct detrun_task *t, enum detrun_family family,
                        const struct timespec *deadline)
{
    int64_t left = ns_of(deadline) - clock_view(shim.memory, t, family);
    if (left <= 0) {
        clock_reach(shim.memory, t, family, ns_of(deadline));
        return 0;
    }
    struct timespec request = timespec_of(left);
    struct timespec rest = request;
    turns_sleep(t, atomic_load(&t->base) + (uint64_t)left, NULL);
    long error = real_sleep(CLOCK_MONOTONIC, 0, &request, &rest);
    slept(t, &request, &rest, error);
    return error;
}

long libc_clock_nanosleep(clockid_t id, int flags, const struct timespec *request,
                          struct timespec *remaining)
{
    struct detrun_task *t = task_self();
    int family = clock_family(id);
    if (!t || family < 0 || family == DETRUN_FAMILY_CPU)
        return real_sleep(cpu_clock_in(id), flags, request, remaining);
    if (!(flags & TIMER_ABSTIME))
        return sleep_relative(t, id, request, remaining);
    if (!is_valid(request) || task_leaves_real(clock_source((enum detrun_family)family)))
        return real_sleep(id, flags, request, remaining);
    return sleep_until(t, (enum detrun_family)family, request);
}

/* From the SITE door and syscall(); the kernel says -errno where libc says errno. */
long call_clock_nanosleep(clockid_t id, int flags, const struct timespec *request,
                          struct timespec *remaining)
{
    int family = clock_family(id);
    if ((flags & PASSING) || !task_self() || family < 0 || family == DETRUN_FAMILY_CPU)
        return raw6(SYS_clock_nanosleep, cpu_clock_in(id), flags & ~PASSING, (long)request,
                    (long)remaining, 0, (long)DETRUN_PASS);
    return -libc_clock_nanosleep(id, flags, request, remaining);
}

long call_nanosleep(const struct timespec *request, struct timespec *remaining)
{
    struct detrun_task *t = task_self();
    if (!t)
        return real_result(REAL(nanosleep)(request, remaining));
    return -sleep_relative(t, CLOCK_REALTIME, request, remaining);
}

long libc_usleep(useconds_t us)
{
    struct timespec request = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};
    return call_nanosleep(&request, NULL);
}

long libc_sleep(unsigned seconds)
{
    struct timespec request = {.tv_sec = seconds};
    struct timespec rest = {0};
    if (call_nanosleep(&request, &rest) == 0)
        return 0;
    return rest.tv_sec + (rest.tv_nsec >= TIMESPEC_SECOND / 2);
}

/* Waits for events. Their result 0 means that the time-out ran out. */
static void begin_wait(int64_t timeout_ns)
{
    struct detrun_task *t = task_self();
    if (t && timeout_ns > 0)
        turns_sleep(t, atomic_load(&t->base) + (uint64_t)timeout_ns, NULL);
    else if (t && timeout_ns < 0)
        turns_pause(t);
}

static long end_wait(long result, int64_t timeout_ns)
{
    struct detrun_task *t = timeout_ns ? task_self() : NULL;
    if (t)
        interrupts_count(t, result, timeout_ns > 0 ? (uint64_t)timeout_ns : 0);
    if (t && result == 0 && timeout_ns > 0) {
        ran_out(t, (uint64_t)timeout_ns);
    } else if (t) {
        turns_resume(t);
    } else if (result == 0 && timeout_ns == 0 && task_current) {
        clock_yield(task_current); /* a loop that looks again and again is a spin */
    }
    return result;
}

/* In ns; -1 waits for ever, 0 not at all. */
static int64_t timeout_of(const struct timespec *timeout)
{
    if (!timeout)
        return -1;
    return is_valid(timeout) ? ns_of(timeout) : 0;
}

long call_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    int64_t ns = timeout_ms * MILLISECOND;
    begin_wait(ns);
    return end_wait(real_result(REAL(poll)(fds, n, timeout_ms)), ns);
}

long libc_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return end_wait(real_result(REAL_LIBC(ppoll)(fds, n, timeout, mask)), ns);
}

long call_ppoll(struct pollfd *fds, nfds_t n, struct timespec *timeout, const sigset_t *mask,
                size_t mask_size)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return end_wait(raw6(SYS_ppoll, (long)fds, (long)n, (long)timeout, (long)mask, (long)mask_size,
                         (long)DETRUN_PASS),
                    ns);
}

long call_pselect6(int n, fd_set *reads, fd_set *writes, fd_set *errors, struct timespec *timeout,
                   void *mask)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return end_wait(
        raw6(SYS_pselect6, n, (long)reads, (long)writes, (long)errors, (long)timeout, (long)mask),
        ns);
}

long call_epoll_pwait(int fd, struct epoll_event *events, int n, int timeout_ms,
                      const sigset_t *mask, size_t mask_size)
{
    int64_t ns = timeout_ms * MILLISECOND;
    begin_wait(ns);
    return end_wait(
        raw6(SYS_epoll_pwait, fd, (long)events, n, timeout_ms, (long)mask, (long)mask_size), ns);
}

/* Linux writes the time left into the timeout: read it first. */
long call_select(int n, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
                 struct timeval *restrict timeout)
{
    int64_t ns = timeout ? 0 : -1;
    if (timeout && !reach_readable(timeout, sizeof(*timeout)))
        return -EFAULT;
    if (timeout && timeout->tv_sec >= 0 && timeout->tv_usec >= 0)
        ns = timeout->tv_sec * TIMESPEC_SECOND + timeout->tv_usec * 1000;
    begin_wait(ns);
    return end_wait(real_result(REAL(select)(n, reads, writes, errors, timeout)), ns);
}

long libc_pselect(int n, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
                  const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return end_wait(real_result(REAL_LIBC(pselect)(n, reads, writes, errors, timeout, mask)), ns);
}

long call_epoll_wait(int fd, struct epoll_event *events, int n, int timeout_ms)
{
    int64_t ns = timeout_ms * MILLISECOND;
    begin_wait(ns);
    return end_wait(real_result(REAL(epoll_wait)(fd, events, n, timeout_ms)), ns);
}

long libc_epoll_pwait(int fd, struct epoll_event *events, int n, int timeout_ms,
                      const sigset_t *mask)
{
    int64_t ns = timeout_ms * MILLISECOND;
    begin_wait(ns);
    return end_wait(real_result(REAL_LIBC(epoll_pwait)(fd, events, n, timeout_ms, mask)), ns);
}

long libc_epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
                       const sigset_t *mask)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return end_wait(real_result(REAL_LIBC(epoll_pwait2)(fd, events, n, timeout, mask)), ns);
}

static long signal_taken(long result, siginfo_t *info, int64_t timeout_ns)
{
    end_wait(result == -EAGAIN ? 0 : result, timeout_ns);
    if (result > 0 && info)
        signals_translate(info);
    return result;
}

long libc_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                       const struct timespec *restrict timeout)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return signal_taken(real_result(REAL_LIBC(sigtimedwait)(set, info, timeout)), info, ns);
}

long libc_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return libc_sigtimedwait(set, info, NULL);
}

long call_rt_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout,
                          size_t size)
{
    int64_t ns = timeout_of(timeout);
    begin_wait(ns);
    return signal_taken(raw4(SYS_rt_sigtimedwait, (long)set, (long)info, (long)timeout, (long)size),
                        info, ns);
}

/* musl waits by bare system calls, which have no site: what they waited for passes here. */
static long timed(long error, clockid_t id, const struct timespec *deadline)
{
    int family = shim.glibc || error != ETIMEDOUT ? -1 : clock_family(id);
    struct detrun_task *t = family >= 0 ? task_self() : NULL;
    if (t && !task_leaves_real(clock_source((enum detrun_family)family)))
        clock_reach(shim.memory, t, (enum detrun_family)family, ns_of(deadline));
    return error;
}

/* musl's pthread_cond_t has its clock as the fifth int (_c_clock). */
static clockid_t clock_of(const pthread_cond_t *cond)
{
    return ((const int *)(const void *)cond)[4];
}

/* Timed waits of pthreads and semaphores end in libc's futex sites, which must be armed by then. */
long libc_pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                 const struct timespec *restrict deadline)
{
    sites_arm();
    long error = REAL_LIBC(pthread_cond_timedwait)(cond, mutex, deadline);
    return timed(error, clock_of(cond), deadline);
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
    sites_arm();
    return timed(REAL_LIBC(pthread_mutex_timedlock)(mutex, deadline), CLOCK_REALTIME, deadline);
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
    sites_arm();
    return timed(REAL_LIBC(pthread_rwlock_timedrdlock)(lock, deadline), CLOCK_REALTIME, deadline);
}

long libc_pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                                     const struct timespec *restrict deadline)
{
    sites_arm();
    return timed(REAL_LIBC(pthread_rwlock_timedwrlock)(lock, deadline), CLOCK_REALTIME, deadline);
}

long libc_sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline)
{
    sites_arm();
    long result = real_result(REAL_LIBC(sem_timedwait)(sem, deadline));
    return -timed(-result, CLOCK_REALTIME, deadline);
}

long libc_sem_clockwait(sem_t *restrict sem, clockid_t id, const struct timespec *restrict deadline)
{
    sites_arm();
    return real_result(REAL_LIBC(sem_clockwait)(sem, id, deadline));
}
