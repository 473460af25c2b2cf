/* SPDX-License-Identifier: MIT */
/*
 * Waits. A relative one goes on in the kernel and moves the view; an absolute one on a virtual
 * clock would end at once there, so its answer is held until its real time has passed or its futex
 * has changed. In images with the shim only escaped absolute waits are our business: what the shim
 * lets through is relative, or carries DETRUN_PASS.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "clock_id.h"
#include "guest.h"
#include "keeper.h"
#include "lineage.h"
#include "process.h"
#include "supervisor.h"

#define SECOND          INT64_C(1000000000)
#define MILLISECOND     INT64_C(1000000)
#define WATCH_MS        1
#define SIGNAL_CHECK_MS 10
/* What the kernel itself returns from a wait that a signal ended: EINTR once a handler has run,
 * else the call starts again. Only where a signal is sure to be there on the way out. */
#define ERESTARTNOHAND  514

bool wait_is_kernels(const struct question *q)
{
    uint32_t flags = atomic_load_explicit(&q->process->flags, memory_order_acquire);
    return (flags & DETRUN_TASK_SHIM) != 0;
}

static int64_t ns_of(int64_t seconds, int64_t ns)
{
    int64_t total;
    if (__builtin_mul_overflow(seconds, SECOND, &total) ||
        __builtin_add_overflow(total, ns, &total))
        return INT64_MAX;
    return total;
}

int64_t wait_read_time(const struct question *q, uint64_t address)
{
    struct timespec ts;
    int error = guest_read((int32_t)q->request->pid, address, &ts, sizeof(ts));
    if (error)
        return error;
    if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= SECOND)
        return -EINVAL;
    return ns_of(ts.tv_sec, ts.tv_nsec);
}

static struct supervisor_wait *wait_slot(struct supervisor *s, int32_t tid)
{
    return &s->waits[(uint32_t)tid % SUPERVISOR_WAITS];
}

/* The kernel waits; whether the time ran out shows when the thread asks again. */
static long remember(struct question *q, int64_t timeout_ns)
{
    if (timeout_ns > 0 && !wait_is_kernels(q))
        *wait_slot(q->s, (int32_t)q->request->pid) = (struct supervisor_wait){
            .tid = (int32_t)q->request->pid,
            .number = q->request->data.nr,
            .started_ns = supervisor_now_ns(),
            .timeout_ns = (uint64_t)timeout_ns,
            .view_ns = clock_view(q->m, q->task, DETRUN_FAMILY_MONO),
            .target = clock_hand_on(q->task) + (uint64_t)timeout_ns,
        };
    if (timeout_ns > 0 && !wait_is_kernels(q))
        keeper_watch(q->s);
    return ANSWER_CONTINUE;
}

void wait_settle(struct question *q)
{
    struct supervisor_wait *w = wait_slot(q->s, (int32_t)q->request->pid);
    if (w->tid != (int32_t)q->request->pid)
        return;
    w->tid = 0;
    if (supervisor_now_ns() - w->started_ns < w->timeout_ns)
        return;
    uint64_t before = atomic_load_explicit(&q->task->base, memory_order_relaxed);
    int64_t deadline = w->view_ns + (int64_t)w->timeout_ns;
    if (clock_view(q->m, q->task, DETRUN_FAMILY_MONO) < deadline)
        clock_reach(q->m, q->task, DETRUN_FAMILY_MONO, deadline);
    /* Go's own timers (its scavenger's, its collector's) look like the program's. */
    if (atomic_load_explicit(&q->process->flags, memory_order_acquire) & DETRUN_TASK_GO)
        clock_keep(q->task, atomic_load_explicit(&q->task->base, memory_order_relaxed) - before);
}

void wait_credit(struct supervisor_wait *w, struct detrun_memory *m, struct detrun_task *task)
{
    clock_reach(m, task, DETRUN_FAMILY_MONO, w->view_ns + (int64_t)w->timeout_ns);
    clock_raise(task, clock_job(m));
    w->tid = 0;
}

void wait_forget_dead(struct supervisor *s)
{
    for (unsigned i = 0; i < SUPERVISOR_WAITS; i++)
        if (s->waits[i].tid != 0 && !task_known(s, s->waits[i].tid).task)
            s->waits[i].tid = 0;
}

static long wait_ms(struct question *q, uint64_t argument)
{
    return remember(q, (int32_t)argument * MILLISECOND);
}

static long wait_timespec(struct question *q, uint64_t address)
{
    return wait_is_kernels(q) ? ANSWER_CONTINUE : remember(q, wait_read_time(q, address));
}

long answer_poll(struct question *q)
{
    return wait_ms(q, q->args[2]);
}

long answer_epoll_wait(struct question *q)
{
    return wait_ms(q, q->args[3]);
}

long answer_epoll_pwait(struct question *q)
{
    return wait_ms(q, q->args[3]);
}

long answer_ppoll(struct question *q)
{
    return wait_timespec(q, q->args[2]);
}

long answer_epoll_pwait2(struct question *q)
{
    return wait_timespec(q, q->args[3]);
}

long answer_rt_sigtimedwait(struct question *q)
{
    return wait_timespec(q, q->args[2]);
}

long answer_semtimedop(struct question *q)
{
    return wait_timespec(q, q->args[3]);
}

long answer_io_getevents(struct question *q)
{
    return wait_timespec(q, q->args[4]);
}

long answer_io_pgetevents(struct question *q)
{
    return wait_timespec(q, q->args[4]);
}

long answer_pselect6(struct question *q)
{
    return wait_timespec(q, q->args[4]);
}

long answer_select(struct question *q)
{
    struct timeval tv;
    if (wait_is_kernels(q) ||
        guest_read((int32_t)q->request->pid, q->args[4], &tv, sizeof(tv)) != 0 || tv.tv_sec < 0)
        return ANSWER_CONTINUE;
    return remember(q, ns_of(tv.tv_sec, tv.tv_usec * 1000));
}

/* A Go scheduler's own naps are none of the program's sleeps. */
static long sleep_for(struct question *q, uint64_t address)
{
    uint32_t flags = atomic_load_explicit(&q->process->flags, memory_order_acquire);
    if (wait_is_kernels(q) || (flags & DETRUN_TASK_GO))
        return ANSWER_CONTINUE;
    int64_t ns = wait_read_time(q, address);
    if (ns > (int64_t)CLOCK_YIELD_NS)
        return remember(q, ns);
    if (ns >= 0)
        clock_yield(q->task);
    return ANSWER_CONTINUE;
}

long wait_hold(struct question *q, struct supervisor_hold hold)
{
    int64_t left = hold.deadline_ns - clock_view(q->m, q->task, hold.family);
    if (left <= 0) {
        clock_reach(q->m, q->task, hold.family, hold.deadline_ns);
        return hold.at_deadline;
    }
    hold.active = true;
    hold.target = clock_hand_on(q->task) + (uint64_t)left;
    keeper_watch(q->s);
    hold.source = q->source;
    hold.job = q->job;
    hold.until_ns = supervisor_now_ns() + (uint64_t)left;
    q->s->holds[q->slot] = hold;
    q->s->held++;
    q->s->next_look_ns = 0;
    return ANSWER_HELD;
}

long answer_nanosleep(struct question *q)
{
    return sleep_for(q, q->args[0]);
}

long answer_clock_nanosleep(struct question *q)
{
    int family = clock_family((clockid_t)q->args[0]);
    if (family < 0 || family == DETRUN_FAMILY_CPU)
        return ANSWER_CONTINUE;
    if (!(q->args[1] & TIMER_ABSTIME))
        return sleep_for(q, q->args[2]);
    if (supervisor_is_real(q, clock_source((enum detrun_family)family)))
        return ANSWER_CONTINUE;
    int64_t deadline = wait_read_time(q, q->args[2]);
    if (deadline < 0)
        return deadline == -EINVAL ? -EINVAL : supervisor_unreachable(q, (int)deadline);
    return wait_hold(
        q, (struct supervisor_hold){.family = (enum detrun_family)family, .deadline_ns = deadline});
}

static bool is_pi(int command)
{
    return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
}

/* A PI lock is the kernel's to take: it goes on when the word names no owner any more. */
static bool has_changed(const struct supervisor_hold *h, uint32_t word)
{
    return h->passes_on ? (word & FUTEX_TID_MASK) == 0 : word != h->expected;
}

/* A wake alone does not show: the word has to change. @return which has, or ANSWER_HELD */
static long changed_of(const struct supervisor_hold *h, int32_t tid)
{
    struct futex_waitv words[FUTEX_WAITV_MAX];
    uint32_t word;
    if (guest_read(tid, h->word, words, h->words * sizeof(*words)) != 0)
        return ANSWER_HELD;
    for (unsigned i = 0; i < h->words; i++)
        if (guest_read(tid, words[i].uaddr, &word, sizeof(word)) == 0 && word != words[i].val)
            return i;
    return ANSWER_HELD;
}

long wait_has_come(const struct supervisor_hold *h, int32_t tid)
{
    struct pollfd pollfd = {.fd = h->fd, .events = h->events};
    uint32_t word;
    if (h->events)
        return poll(&pollfd, 1, 0) != 0 ? ANSWER_CONTINUE : ANSWER_HELD;
    if (h->words)
        return changed_of(h, tid);
    if (!h->word || guest_read(tid, h->word, &word, sizeof(word)) != 0 || !has_changed(h, word))
        return ANSWER_HELD;
    return h->passes_on ? ANSWER_CONTINUE : 0;
}

static long wait_until(struct question *q, int command, enum detrun_family family)
{
    uint32_t word;
    int64_t deadline = wait_read_time(q, q->args[3]);
    struct supervisor_hold h = {
        .passes_on = is_pi(command),
        .expected = (uint32_t)q->args[2],
        .word = q->args[0],
        .family = family,
        .deadline_ns = deadline,
        .at_deadline = -ETIMEDOUT,
    };
    if (deadline < 0)
        return deadline == -EINVAL ? -EINVAL : supervisor_unreachable(q, (int)deadline);
    int error = guest_read((int32_t)q->request->pid, q->args[0], &word, sizeof(word));
    if (error)
        return supervisor_unreachable(q, error);
    if (has_changed(&h, word))
        return h.passes_on ? ANSWER_CONTINUE : -EAGAIN;
    return wait_hold(q, h);
}

long answer_futex(struct question *q)
{
    int op = (int)q->args[1];
    int command = op & 127;
    bool wall = command == FUTEX_LOCK_PI || (op & FUTEX_CLOCK_REALTIME) != 0;
    if (command == FUTEX_WAIT)
        return wait_timespec(q, q->args[3]);
    enum detrun_family family = wall ? DETRUN_FAMILY_WALL : DETRUN_FAMILY_MONO;
    if (supervisor_is_real(q, clock_source(family)))
        return ANSWER_CONTINUE;
    return wait_until(q, command, family);
}

static void let_go(struct supervisor *s, unsigned slot, long value)
{
    s->holds[slot].active = false;
    if (s->holds[slot].events)
        close(s->holds[slot].fd);
    s->held--;
    supervisor_finish(s, s->holds[slot].job, slot, s->holds[slot].source, value);
}

void wait_forget_job(struct supervisor *s, const struct supervisor_job *job)
{
    for (unsigned slot = 0; slot < DETRUN_INFLIGHT; slot++)
        if (s->holds[slot].job == job)
            s->holds[slot].job = s->jobs;
}

static void time_is_up(struct supervisor *s, unsigned slot)
{
    const struct supervisor_hold *h = &s->holds[slot];
    struct supervisor_who who = task_of(s, (int32_t)s->memory->shared.inflight[slot].request.pid);
    if (who.task)
        clock_reach(who.job->memory, who.task, h->family, h->deadline_ns);
    let_go(s, slot, h->at_deadline);
}

/* @return what the call ends with, or ANSWER_HELD */
static long answer_of_signal(enum process_signal signal)
{
    if (signal == PROCESS_SIGNAL_NONE)
        return ANSWER_HELD;
    return signal == PROCESS_SIGNAL_SURE ? -ERESTARTNOHAND : -EINTR;
}

bool wait_is_over(struct supervisor *s, const struct supervisor_hold *h)
{
    unsigned slot = (unsigned)(h - s->holds);
    int32_t tid = (int32_t)s->memory->shared.inflight[slot].request.pid;
    long result = wait_has_come(h, tid);
    if (result == ANSWER_HELD)
        result = answer_of_signal(process_pending_signal(tid));
    if (result != ANSWER_HELD)
        let_go(s, slot, result);
    return result != ANSWER_HELD;
}

void wait_time_is_up(struct supervisor *s, const struct supervisor_hold *h)
{
    time_is_up(s, (unsigned)(h - s->holds));
}

/* The thread waits in the kernel deaf to signals (WAIT_KILLABLE_RECV): look for them. */
static void check_signal(struct supervisor *s, unsigned slot, int32_t tid, uint64_t now)
{
    struct supervisor_hold *h = &s->holds[slot];
    if (now < h->next_signal_check_ns)
        return;
    h->next_signal_check_ns = now + SIGNAL_CHECK_MS * MILLISECOND;
    long result = answer_of_signal(process_pending_signal(tid));
    if (result != ANSWER_HELD)
        let_go(s, slot, result);
}

static void check_hold(struct supervisor *s, unsigned slot, uint64_t now)
{
    struct supervisor_hold *h = &s->holds[slot];
    const struct seccomp_notif *request = &s->memory->shared.inflight[slot].request;
    __u64 id = request->id;
    long result;
    if (ioctl(s->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) != 0)
        let_go(s, slot, ANSWER_CONTINUE);
    else if ((result = wait_has_come(h, (int32_t)request->pid)) != ANSWER_HELD)
        let_go(s, slot, result);
    else if (now >= h->until_ns)
        time_is_up(s, slot);
    else
        check_signal(s, slot, (int32_t)request->pid, now);
}

bool wait_any_goes_on(struct supervisor *s)
{
    unsigned before = s->held;
    uint64_t now = supervisor_now_ns();
    for (unsigned slot = 0; s->held != 0 && slot < DETRUN_INFLIGHT; slot++)
        if (s->holds[slot].active)
            check_hold(s, slot, now);
    return s->held != before;
}

/* Signals have to be looked for even where no word is watched. */
static int ms_until_next(const struct supervisor_hold *h, uint64_t now)
{
    if (h->word || h->events)
        return WATCH_MS;
    uint64_t ms = h->until_ns > now ? (h->until_ns - now + MILLISECOND - 1) / MILLISECOND : 0;
    return ms < SIGNAL_CHECK_MS ? (int)ms : SIGNAL_CHECK_MS;
}

static int look_at_holds(struct supervisor *s, uint64_t now)
{
    int next = 1000;
    for (unsigned slot = 0; slot < DETRUN_INFLIGHT; slot++) {
        if (s->holds[slot].active)
            check_hold(s, slot, now);
        if (!s->holds[slot].active)
            continue;
        int ms = ms_until_next(&s->holds[slot], now);
        next = ms < next ? ms : next;
    }
    return next;
}

/* Other requests in between do not bring the next look nearer. */
int wait_check_holds(struct supervisor *s)
{
    if (s->held == 0)
        return -1;
    uint64_t now = supervisor_now_ns();
    if (now >= s->next_look_ns)
        s->next_look_ns = now + (uint64_t)(look_at_holds(s, now) * MILLISECOND);
    if (s->held == 0)
        return -1;
    return (int)((s->next_look_ns - now + MILLISECOND - 1) / MILLISECOND);
}
