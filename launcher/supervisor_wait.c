/* SPDX-License-Identifier: MIT */
/*
 * Waits. A relative one goes on in the kernel and moves the view; an absolute one on a virtual
 * clock would end at once there, so its answer is held until its real time has passed or its futex
 * has changed. In images with the shim only escaped absolute waits are our business: what the shim
 * lets through is relative, or carries DETRUN_PASS.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "clock_id.h"
#include "guest.h"
#include "keeper.h"
#include "lineage.h"
#include "process.h"
#include "supervisor_hold.h"

#define SECOND      INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define MICROSECOND 1000

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
static void begin(struct question *q, int64_t timeout_ns)
{
    struct supervisor_wait *w = wait_slot(q->s, (int32_t)q->request->pid);
    *w = (struct supervisor_wait){
        .tid = (int32_t)q->request->pid,
        .number = q->request->data.nr,
        .started_ns = supervisor_now_ns(),
        .timeout_ns = (uint64_t)timeout_ns,
        .deadline_ns = clock_view(q->m, q->task, DETRUN_FAMILY_MONO) + timeout_ns,
        .target = clock_hand_on(q->task) + (uint64_t)timeout_ns,
    };
    keeper_watch(q->s);
}

/* Is that what the kernel left of the thread's last wait, interrupted meanwhile? It counts real
 * time. Whether the kernel begins the call anew or the program does, the wait goes on. */
static bool goes_on(const struct question *q, int64_t timeout_ns, uint64_t rest)
{
    const struct supervisor_wait *w = &q->before;
    uint64_t passed = supervisor_now_ns() - w->started_ns + MICROSECOND;
    return w->tid != 0 && w->rest == rest && w->number == q->request->data.nr &&
           (uint64_t)timeout_ns < w->timeout_ns && (uint64_t)timeout_ns + passed >= w->timeout_ns;
}

static long remember_rest(struct question *q, int64_t timeout_ns, uint64_t rest)
{
    if (timeout_ns <= 0 || wait_is_kernels(q))
        return ANSWER_CONTINUE;
    begin(q, timeout_ns);
    struct supervisor_wait *w = wait_slot(q->s, (int32_t)q->request->pid);
    w->rest = rest;
    if (rest != 0 && goes_on(q, timeout_ns, rest)) {
        w->deadline_ns = q->before.deadline_ns;
        w->target = q->before.target;
    }
    return ANSWER_CONTINUE;
}

static long remember(struct question *q, int64_t timeout_ns)
{
    return remember_rest(q, timeout_ns, 0);
}

static bool is_go(const struct question *q)
{
    return (atomic_load_explicit(&q->process->flags, memory_order_acquire) & DETRUN_TASK_GO) != 0;
}

/* Several threads go by one clock: another one may have brought it there. */
void wait_reach(struct detrun_memory *m, struct detrun_task *task, enum detrun_family family,
                int64_t deadline)
{
    if (clock_view(m, task, family) < deadline)
        clock_reach(m, task, family, deadline);
}

/* Between two moves of the job's time all who run are at one instant. */
static void catch_up(const struct question *q)
{
    uint64_t now = clock_job(q->m);
    if (!wait_is_kernels(q) && now > clock_hand_on(q->task))
        clock_raise(q->task, now);
}

/* Go's runtime looks at the clock after each time-out and sleeps on if it was early. */
static bool sleeps_on(const struct question *q)
{
    return is_go(q) && !keeper_lets_time_pass(q->s, q->process);
}

/* Before its turn its time is its own. */
static void run_out(struct question *q, const struct supervisor_wait *w)
{
    uint64_t before = atomic_load_explicit(&q->task->base, memory_order_relaxed);
    wait_reach(q->m, q->task, DETRUN_FAMILY_MONO, w->deadline_ns);
    if (is_go(q) || !(q->m->params.flags & DETRUN_FLAG_REAL_TIME))
        clock_keep(q->task, atomic_load_explicit(&q->task->base, memory_order_relaxed) - before);
}

void wait_settle(struct question *q)
{
    struct supervisor_wait *w = wait_slot(q->s, (int32_t)q->request->pid);
    catch_up(q);
    if (w->tid != (int32_t)q->request->pid || (w->resumes && w->number == q->request->data.nr))
        return;
    q->before = *w;
    w->tid = 0;
    if (!w->resumes && supervisor_now_ns() - w->started_ns >= w->timeout_ns && !sleeps_on(q))
        run_out(q, w);
}

void wait_credit(struct supervisor_wait *w, struct detrun_memory *m, struct detrun_task *task)
{
    wait_reach(m, task, DETRUN_FAMILY_MONO, w->deadline_ns);
    clock_raise(task, clock_job(m));
    w->tid = 0;
}

void wait_resume_later(struct supervisor *s, int32_t tid, const struct supervisor_hold *h)
{
    const struct seccomp_notif *request = &s->memory->shared.inflight[h - s->holds].request;
    *wait_slot(s, tid) = (struct supervisor_wait){
        .tid = tid, .number = request->data.nr, .resumes = true, .deadline_ns = h->deadline_ns};
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

static long wait_with_rest(struct question *q, uint64_t address)
{
    return wait_is_kernels(q) ? ANSWER_CONTINUE
                              : remember_rest(q, wait_read_time(q, address), address);
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
    return wait_with_rest(q, q->args[2]);
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
    return wait_with_rest(q, q->args[4]);
}

long answer_select(struct question *q)
{
    struct timeval tv;
    if (wait_is_kernels(q) ||
        guest_read((int32_t)q->request->pid, q->args[4], &tv, sizeof(tv)) != 0 || tv.tv_sec < 0)
        return ANSWER_CONTINUE;
    return remember_rest(q, ns_of(tv.tv_sec, tv.tv_usec * 1000), q->args[4]);
}

static int64_t end_of_sleep(const struct question *q, int64_t ns)
{
    struct supervisor_wait *w = wait_slot(q->s, (int32_t)q->request->pid);
    int64_t view = clock_view(q->m, q->task, DETRUN_FAMILY_MONO);
    if (w->tid != (int32_t)q->request->pid || !w->resumes)
        return view < INT64_MAX - ns ? view + ns : INT64_MAX;
    w->tid = 0;
    return w->deadline_ns;
}

/* Many sleepers at once leave room for others: the kernel has the rest. */
static long sleep_on(struct question *q, int64_t ns, uint64_t rest)
{
    if (supervisor_is_real(q, DETRUN_SLEEP) || q->s->held > DETRUN_INFLIGHT / 2)
        return remember(q, ns);
    return wait_hold(q, (struct supervisor_hold){.family = DETRUN_FAMILY_MONO,
                                                 .deadline_ns = end_of_sleep(q, ns),
                                                 .restarts = ERESTARTNOHAND,
                                                 .relative = true,
                                                 .rest = rest});
}

/* A Go scheduler's own naps are none of the program's sleeps. */
static long nap(struct question *q, int64_t ns)
{
    bool held = ns > (int64_t)CLOCK_YIELD_NS && q->s->held <= DETRUN_INFLIGHT / 2;
    return held ? wait_nap(q, ns) : ANSWER_CONTINUE;
}

static long sleep_for(struct question *q, uint64_t address, uint64_t rest)
{
    if (wait_is_kernels(q))
        return ANSWER_CONTINUE;
    int64_t ns = wait_read_time(q, address);
    if (is_go(q))
        return nap(q, ns);
    if (ns > (int64_t)CLOCK_YIELD_NS)
        return sleep_on(q, ns, rest);
    if (ns >= 0)
        clock_yield(q->task);
    return ANSWER_CONTINUE;
}

long answer_nanosleep(struct question *q)
{
    return sleep_for(q, q->args[0], q->args[1]);
}

long answer_clock_nanosleep(struct question *q)
{
    int family = clock_family((clockid_t)q->args[0]);
    if (family < 0 || family == DETRUN_FAMILY_CPU)
        return ANSWER_CONTINUE;
    if (!(q->args[1] & TIMER_ABSTIME))
        return sleep_for(q, q->args[2], q->args[3]);
    if (supervisor_is_real(q, clock_source((enum detrun_family)family)))
        return ANSWER_CONTINUE;
    int64_t deadline = wait_read_time(q, q->args[2]);
    if (deadline < 0)
        return deadline == -EINVAL ? -EINVAL : supervisor_unreachable(q, (int)deadline);
    return wait_hold(q, (struct supervisor_hold){.family = (enum detrun_family)family,
                                                 .deadline_ns = deadline,
                                                 .restarts = ERESTARTNOHAND});
}

static long wait_until(struct question *q, int command, enum detrun_family family)
{
    uint32_t word;
    int64_t deadline = wait_read_time(q, q->args[3]);
    struct supervisor_hold h = {
        .passes_on = hold_is_pi(command),
        .expected = (uint32_t)q->args[2],
        .word = q->args[0],
        .family = family,
        .deadline_ns = deadline,
        .at_deadline = -ETIMEDOUT,
        .restarts = ERESTARTNOHAND,
    };
    if (deadline < 0)
        return deadline == -EINVAL ? -EINVAL : supervisor_unreachable(q, (int)deadline);
    int error = guest_read((int32_t)q->request->pid, q->args[0], &word, sizeof(word));
    if (error)
        return supervisor_unreachable(q, error);
    if (hold_has_changed(&h, word))
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
