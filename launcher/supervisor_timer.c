/* SPDX-License-Identifier: MIT */
/*
 * Timers that send signals. In the order in which the kernel looks at what it is asked
 * (kernel/time/itimer.c, posix-timers.c), so that of two mistakes the same one is told.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "clock_id.h"
#include "guest.h"
#include "lineage.h"
#include "supervisor.h"
#include "supervisor_pid.h"
#include "timer_time.h"
#include "timers.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define MICROSECOND 1000

static long get(const struct question *q, uint64_t address, void *data, size_t size)
{
    int error = guest_read((int32_t)q->request->pid, address, data, size);
    return error ? supervisor_unreachable(q, error) : 0;
}

static long put(const struct question *q, uint64_t address, const void *data, size_t size)
{
    int error = guest_write(q, address, data, size);
    return error ? supervisor_unreachable(q, error) : 0;
}

static struct supervisor_timer *interval_timer(const struct question *q)
{
    return timers_find(q, TIMER_INTERVAL, 0);
}

/* While its signal has not been taken it is not running. */
static int64_t left_of_interval(const struct question *q, struct supervisor_timer *t)
{
    if (!t || !t->armed)
        return 0;
    timers_settle(t);
    int64_t left = timers_left(q, t);
    return t->sent ? 0 : left < MICROSECOND ? MICROSECOND : left;
}

static struct itimerval interval_now(const struct question *q)
{
    struct supervisor_timer *t = interval_timer(q);
    return (struct itimerval){
        .it_value = timeval_of(left_of_interval(q, t)),
        .it_interval = timeval_of(t ? (int64_t)t->interval_ns : 0),
    };
}

/* @return 0, or ANSWER_CONTINUE where there is no room for another timer */
static long set_interval(const struct question *q, const struct timer_setting *setting)
{
    struct supervisor_timer *t = interval_timer(q);
    if (!t && setting->value_ns == 0)
        return 0;
    if (!t)
        t = timers_add(q, TIMER_INTERVAL, 0, DETRUN_FAMILY_MONO);
    if (!t)
        return timers_leave(q);
    timers_arm(q, t, setting);
    if (!t->armed)
        timers_drop(q->s, t);
    return 0;
}

static bool is_valid(const struct timeval *tv)
{
    return tv->tv_sec >= 0 && tv->tv_usec >= 0 && tv->tv_usec < 1000000;
}

static int64_t ns_of_timeval(const struct timeval *tv)
{
    return timer_ns(&(struct timespec){tv->tv_sec, tv->tv_usec * MICROSECOND});
}

static long read_interval(const struct question *q, struct timer_setting *setting)
{
    struct itimerval new = {0};
    long error = q->args[1] ? get(q, q->args[1], &new, sizeof(new)) : 0;
    if (error)
        return error;
    if (!is_valid(&new.it_value) || !is_valid(&new.it_interval))
        return -EINVAL;
    setting->value_ns = ns_of_timeval(&new.it_value);
    setting->interval_ns = (uint64_t)ns_of_timeval(&new.it_interval);
    return 0;
}

static bool is_of_cpu_time(const struct question *q)
{
    int which = (int)q->args[0];
    return which == ITIMER_VIRTUAL || which == ITIMER_PROF;
}

long answer_setitimer(struct question *q)
{
    struct timer_setting setting = {0};
    if (is_of_cpu_time(q))
        supervisor_gap(q, DETRUN_GAP_CPU_TIMER);
    if ((int)q->args[0] != ITIMER_REAL || timers_are_real(q))
        return ANSWER_CONTINUE;
    long error = read_interval(q, &setting);
    if (error)
        return error;
    struct itimerval old = interval_now(q);
    error = set_interval(q, &setting);
    if (error || !q->args[2])
        return error;
    return put(q, q->args[2], &old, sizeof(old));
}

long answer_getitimer(struct question *q)
{
    if ((int)q->args[0] != ITIMER_REAL || timers_are_real(q))
        return ANSWER_CONTINUE;
    struct itimerval now = interval_now(q);
    return put(q, q->args[1], &now, sizeof(now));
}

/* Rounded, but never to 0 while one is running. */
static long seconds_left(int64_t ns)
{
    struct timespec left = timespec_of(ns);
    bool up = (left.tv_sec == 0 && left.tv_nsec != 0) || left.tv_nsec >= TIMESPEC_SECOND / 2;
    return left.tv_sec + up;
}

long answer_alarm(struct question *q)
{
    if (timers_are_real(q))
        return ANSWER_CONTINUE;
    struct timer_setting setting = {.value_ns = (unsigned)q->args[0] * TIMESPEC_SECOND};
    long left = seconds_left(left_of_interval(q, interval_timer(q)));
    long error = set_interval(q, &setting);
    return error ? error : left;
}

/* @return the thread's id as the kernel knows it here; 0: none of the asking process */
static int32_t thread_of(const struct question *q, int32_t asked)
{
    const struct detrun_task *t = NULL;
    int32_t pid = atomic_load_explicit(&q->process->real_pid, memory_order_relaxed);
    if (lineage_is_virtual(asked))
        t = lineage_by_vpid(q->m, asked);
    else if (q->process->space != 0)
        t = lineage_by_inner(q->m, q->process->space, asked);
    int32_t tid = t ? atomic_load_explicit(&t->real_tid, memory_order_relaxed) : asked;
    return tid > 0 && syscall(SYS_tgkill, pid, tid, 0) == 0 ? tid : 0;
}

static bool is_good(const struct question *q, struct sigevent *event)
{
    switch (event->sigev_notify) {
    case SIGEV_THREAD_ID:
        event->sigev_notify_thread_id = thread_of(q, event->sigev_notify_thread_id);
        if (event->sigev_notify_thread_id == 0)
            return false;
        break;
    case SIGEV_SIGNAL:
    case SIGEV_THREAD:
        break;
    default:
        return event->sigev_notify == SIGEV_NONE;
    }
    return event->sigev_signo > 0 && event->sigev_signo <= 64;
}

/* The kernel knows which clocks it makes timers of, and who may wake the machine. */
static long allowed(clockid_t id)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    int timer;
    if (syscall(SYS_timer_create, id, &none, &timer) != 0)
        return -errno;
    syscall(SYS_timer_delete, timer);
    return 0;
}

static int32_t next_id(const struct question *q)
{
    int32_t id = DETRUN_TIMER_FIRST;
    for (int32_t used = 0; used < SUPERVISOR_TIMERS && timers_find(q, TIMER_POSIX, id); used++)
        id++;
    return id;
}

static long create(const struct question *q, struct sigevent *event)
{
    int family = clock_family((clockid_t)q->args[0]);
    int32_t id = next_id(q);
    struct supervisor_timer *t = timers_add(q, TIMER_POSIX, id, (enum detrun_family)family);
    if (!t)
        return timers_leave(q);
    t->notify = event->sigev_notify;
    t->signal = event->sigev_signo;
    t->tid = event->sigev_notify == SIGEV_THREAD_ID ? event->sigev_notify_thread_id : 0;
    t->value = q->args[1] ? (uint64_t)(uintptr_t)event->sigev_value.sival_ptr : (uint32_t)id;
    long error = put(q, q->args[2], &id, sizeof(id));
    if (error)
        timers_drop(q->s, t);
    return error;
}

static bool is_ours(const struct question *q, int family)
{
    return family >= 0 && family != DETRUN_FAMILY_CPU && !timers_are_real(q) &&
           !supervisor_is_real(q, clock_source((enum detrun_family)family));
}

long answer_timer_create(struct question *q)
{
    clockid_t id = (clockid_t)q->args[0];
    int family = clock_family(id);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    q->source = DETRUN_TIMER;
    if (family == DETRUN_FAMILY_CPU)
        supervisor_gap(q, DETRUN_GAP_CPU_TIMER);
    if (!is_ours(q, family))
        return ANSWER_CONTINUE;
    long error = q->args[1] ? get(q, q->args[1], &event, sizeof(event)) : 0;
    if (error == 0)
        error = allowed(id);
    if (error == 0 && !is_good(q, &event))
        error = -EINVAL;
    return error ? error : create(q, &event);
}

static int64_t left_of_posix(const struct question *q, struct supervisor_timer *t)
{
    timers_settle(t);
    if (!t->armed)
        return 0;
    int64_t left = timers_left(q, t);
    if (left <= 0 && t->interval_ns && (t->sent || t->notify == SIGEV_NONE))
        left += (int64_t)(((uint64_t)-left / t->interval_ns + 1) * t->interval_ns);
    if (left > 0)
        return left;
    return t->notify == SIGEV_NONE ? 0 : 1;
}

static struct itimerspec posix_now(const struct question *q, struct supervisor_timer *t)
{
    return (struct itimerspec){
        .it_value = timespec_of(left_of_posix(q, t)),
        .it_interval = timespec_of((int64_t)t->interval_ns),
    };
}

/* Numbers that are not ours the kernel knows, or says that it does not. */
static struct supervisor_timer *asked_timer(const struct question *q)
{
    return timers_find(q, TIMER_POSIX, (int32_t)q->args[0]);
}

long answer_timer_settime(struct question *q)
{
    struct timer_setting setting = {.absolute = (q->args[1] & TIMER_ABSTIME) != 0};
    struct itimerspec new;
    struct supervisor_timer *t = asked_timer(q);
    if (!t || q->args[2] == 0)
        return ANSWER_CONTINUE;
    long error = get(q, q->args[2], &new, sizeof(new));
    if (error)
        return error;
    if (!timer_read_setting(&new, &setting))
        return -EINVAL;
    struct itimerspec old = posix_now(q, t);
    timers_arm(q, t, &setting);
    return q->args[3] ? put(q, q->args[3], &old, sizeof(old)) : 0;
}

long answer_timer_gettime(struct question *q)
{
    struct supervisor_timer *t = asked_timer(q);
    if (!t)
        return ANSWER_CONTINUE;
    struct itimerspec now = posix_now(q, t);
    return put(q, q->args[1], &now, sizeof(now));
}

long answer_timer_getoverrun(struct question *q)
{
    struct supervisor_timer *t = asked_timer(q);
    if (!t)
        return ANSWER_CONTINUE;
    timers_settle(t);
    return t->overrun;
}

long answer_timer_delete(struct question *q)
{
    struct supervisor_timer *t = asked_timer(q);
    if (!t)
        return ANSWER_CONTINUE;
    timers_drop(q->s, t);
    return 0;
}
