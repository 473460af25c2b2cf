/* SPDX-License-Identifier: MIT */
/*
 * A wait that runs out moves the caller's view by exactly what it asked for; when it does is
 * waits.h's matter. One that an event ends moves to the job's time, and one that a signal ends as
 * well, or as interrupts.h says.
 */
#include <errno.h>
#include <limits.h>
#include <sys/select.h>
#include <unistd.h>

#include "calls.h"
#include "clock.h"
#include "cpu_clock.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "signals.h"
#include "sites.h"
#include "task.h"
#include "timed.h"
#include "timespec.h"
#include "waits.h"

#define MILLISECOND INT64_C(1000000)

/* The symbol's handler is at work and accounts for the sleep: its own passage through libc's site
 * goes straight on, to the kernel or to the keeper. The kernel looks at TIMER_ABSTIME alone. (A
 * mark in the thread instead would stay there when a handler jumps out of the sleep.) */
#define PASSING 0x40000000
#define KEPT    0x20000000

static long real_sleep(clockid_t id, int flags, const struct timespec *request,
                       struct timespec *remaining)
{
    return REAL_LIBC(clock_nanosleep)(id, flags | PASSING, request, remaining);
}

/* Only with threads may somebody cancel it, which libc sees to. Without its sites it asks the
 * kernel for the sleep; the keeper ends that as well. */
static long kept_sleep(struct detrun_task *t, int64_t ns)
{
    if (!shim.threaded)
        return -waits_on_keeper(t, ns);
    struct timespec request = timespec_of(ns);
    return REAL_LIBC(clock_nanosleep)(CLOCK_MONOTONIC, PASSING | KEPT, &request, NULL);
}

static long kernel_sleep(int64_t ns, int64_t *left)
{
    struct timespec request = timespec_of(ns);
    struct timespec rest = request;
    long error = real_sleep(CLOCK_MONOTONIC, 0, &request, &rest);
    *left =
        timed_ns(&rest) < ns ? timed_ns(&rest) : ns; /* the kernel's count may be a little more */
    return error;
}

/* @param left  set to what is left of ns after a signal
 * @return 0, EINTR or what else libc says */
static long sleep_ns(struct detrun_task *t, int64_t ns, int64_t *left)
{
    uint64_t target = waits_target(t, ns);
    bool kept = waits_are_kept(t);
    int64_t rest = ns;
    long error;
    do {
        int64_t real = waits_sleep(t, DETRUN_ON_NOBODY, rest);
        error = kept ? kept_sleep(t, real) : kernel_sleep(real, left);
        rest = waits_left(t, target, ns);
    } while (kept && error == 0 && rest > 0 && waits_were_disturbed(t));
    if (error == 0) {
        timed_ran_out(t, (uint64_t)ns);
        return 0;
    }
    if (kept)
        *left = waits_left(t, target, ns);
    waits_resume(t);
    if (!kept)
        clock_sleep(shim.memory, t, error == EINTR ? (uint64_t)(ns - *left) : 0);
    return error;
}

static long sleep_relative(struct detrun_task *t, clockid_t id, const struct timespec *request,
                           struct timespec *remaining)
{
    if (!timed_is_valid(request))
        return real_sleep(id, 0, request, remaining);
    uint64_t ns = (uint64_t)timed_ns(request);
    if (ns <= CLOCK_YIELD_NS) {
        clock_yield(t);
        return real_sleep(id, 0, request, remaining);
    }
    int64_t left = 0;
    long error = sleep_ns(t, (int64_t)ns, &left);
    if (error != EINTR || !remaining)
        return error;
    if (reach_writable(remaining, sizeof(*remaining)) != sizeof(*remaining))
        return EFAULT;
    *remaining = timespec_of(left);
    return error;
}

/* The virtual deadline becomes a relative sleep. */
static long sleep_until(struct detrun_task *t, enum detrun_family family,
                        const struct timespec *deadline)
{
    int64_t left = timed_left(t, family, timed_ns(deadline));
    if (left == 0) {
        clock_reach(shim.memory, t, family, timed_ns(deadline));
        return 0;
    }
    return sleep_ns(t, left, &left);
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
    if (!timed_is_valid(request) || task_leaves_real(clock_source((enum detrun_family)family)))
        return real_sleep(id, flags, request, remaining);
    return sleep_until(t, (enum detrun_family)family, request);
}

/* From the SITE door and syscall(); the kernel says -errno where libc says errno. */
long call_clock_nanosleep(clockid_t id, int flags, const struct timespec *request,
                          struct timespec *remaining)
{
    int family = clock_family(id);
    if (flags & KEPT)
        return waits_on_keeper(task_current, timed_ns(request));
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
    return call_nanosleep(&request, &rest) == 0 ? 0 : rest.tv_sec;
}

/* @param ns  set to how long is waited */
static int begin_wait_ms(int timeout_ms, int64_t *ns)
{
    *ns = timed_look(timeout_ms * MILLISECOND);
    int64_t ms = timed_begin(*ns) / MILLISECOND;
    return timeout_ms < 0 ? timeout_ms : ms < INT_MAX ? (int)ms : INT_MAX;
}

static uint64_t target_of(int64_t ns)
{
    const struct detrun_task *t = ns > 0 ? task_self() : NULL;
    return t ? waits_target(t, ns) : 0;
}

/* Linux writes the time that is left back. */
static bool tell_left(struct timespec *timeout, uint64_t target, int64_t ns, long result)
{
    if (ns <= 0 || reach_writable(timeout, sizeof(*timeout)) != sizeof(*timeout))
        return false;
    bool all = result == 0 || ns <= OVERDUE_NS || !task_current;
    *timeout = timespec_of(all ? 0 : waits_left(task_current, target, ns));
    return true;
}

/* The keeper ends a select as a signal would, which leaves the sets as they were. */
static long none_ready(long result, int n, fd_set *sets[3])
{
    size_t words = ((size_t)(n > 0 ? n : 0) + NFDBITS - 1) / NFDBITS;
    for (int i = 0; result == 0 && i < 3; i++)
        for (size_t k = 0; sets[i] && k < words; k++)
            sets[i]->fds_bits[k] = 0;
    return result;
}

long call_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    int64_t ns;
    int real = begin_wait_ms(timeout_ms, &ns);
    return timed_end(real_result(REAL(poll)(fds, n, real)), ns);
}

long libc_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    int64_t ns = timed_look_limit(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return timed_end(real_result(REAL_LIBC(ppoll)(fds, n, timeout, mask)), ns);
}

long call_ppoll(struct pollfd *fds, nfds_t n, struct timespec *timeout, const sigset_t *mask,
                size_t mask_size)
{
    int64_t ns = timed_look_limit(timeout);
    struct timespec real;
    uint64_t target = target_of(ns);
    const struct timespec *own = timed_begin_ts(timeout, ns, &real);
    long result = timed_end(raw6(SYS_ppoll, (long)fds, (long)n, (long)own, (long)mask,
                                 (long)mask_size, (long)DETRUN_PASS),
                            ns);
    tell_left(timeout, target, ns, result);
    return result;
}

long call_pselect6(int n, fd_set *reads, fd_set *writes, fd_set *errors, struct timespec *timeout,
                   void *mask)
{
    int64_t ns = timed_look_limit(timeout);
    struct timespec real;
    uint64_t target = target_of(ns);
    const struct timespec *own = timed_begin_ts(timeout, ns, &real);
    long result = timed_end(
        raw6(SYS_pselect6, n, (long)reads, (long)writes, (long)errors, (long)own, (long)mask), ns);
    tell_left(timeout, target, ns, result);
    return none_ready(result, n, (fd_set *[]){reads, writes, errors});
}

long call_epoll_pwait(int fd, struct epoll_event *events, int n, int timeout_ms,
                      const sigset_t *mask, size_t mask_size)
{
    int64_t ns;
    int real = begin_wait_ms(timeout_ms, &ns);
    return timed_end(raw6(SYS_epoll_pwait, fd, (long)events, n, real, (long)mask, (long)mask_size),
                     ns);
}

/* Linux writes the time left into the timeout: read it first. */
long call_select(int n, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
                 struct timeval *restrict timeout)
{
    int64_t ns = timeout ? 0 : -1;
    if (timeout && !reach_readable(timeout, sizeof(*timeout)))
        return -EFAULT;
    if (timeout && timeout->tv_sec >= 0 && timeout->tv_usec >= 0)
        ns = timed_look(timeout->tv_sec * TIMESPEC_SECOND + timeout->tv_usec * 1000);
    uint64_t target = target_of(ns);
    int64_t real_ns = timed_begin(ns);
    struct timeval real = timeval_of(real_ns);
    struct timeval *own = ns > 0 ? &real : timeout;
    long result = timed_end(real_result(REAL(select)(n, reads, writes, errors, own)), ns);
    struct timespec rest;
    if (own == &real && tell_left(&rest, target, ns, result))
        *timeout = (struct timeval){rest.tv_sec, rest.tv_nsec / 1000};
    return none_ready(result, n, (fd_set *[]){reads, writes, errors});
}

long libc_pselect(int n, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
                  const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    int64_t ns = timed_look_limit(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    long result = real_result(REAL_LIBC(pselect)(n, reads, writes, errors, timeout, mask));
    return none_ready(timed_end(result, ns), n, (fd_set *[]){reads, writes, errors});
}

long call_epoll_wait(int fd, struct epoll_event *events, int n, int timeout_ms)
{
    int64_t ns;
    int real = begin_wait_ms(timeout_ms, &ns);
    return timed_end(real_result(REAL(epoll_wait)(fd, events, n, real)), ns);
}

long libc_epoll_pwait(int fd, struct epoll_event *events, int n, int timeout_ms,
                      const sigset_t *mask)
{
    int64_t ns;
    int real = begin_wait_ms(timeout_ms, &ns);
    return timed_end(real_result(REAL_LIBC(epoll_pwait)(fd, events, n, real, mask)), ns);
}

long libc_epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
                       const sigset_t *mask)
{
    int64_t ns = timed_look_limit(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return timed_end(real_result(REAL_LIBC(epoll_pwait2)(fd, events, n, timeout, mask)), ns);
}

long call_epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
                       const sigset_t *mask, size_t mask_size)
{
    int64_t ns = timed_look_limit(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return timed_end(
        raw6(SYS_epoll_pwait2, fd, (long)events, n, (long)timeout, (long)mask, (long)mask_size),
        ns);
}

static long signal_taken(long result, siginfo_t *info, int64_t timeout_ns)
{
    timed_end(result == -EAGAIN ? 0 : result, timeout_ns);
    if (result > 0 && info)
        signals_translate(info);
    return result;
}

long libc_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                       const struct timespec *restrict timeout)
{
    int64_t ns = timed_limit(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return signal_taken(real_result(REAL_LIBC(sigtimedwait)(set, info, timeout)), info, ns);
}

long libc_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return libc_sigtimedwait(set, info, NULL);
}

long call_rt_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout,
                          size_t size)
{
    int64_t ns = timed_limit(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return signal_taken(raw4(SYS_rt_sigtimedwait, (long)set, (long)info, (long)timeout, (long)size),
                        info, ns);
}
