/* SPDX-License-Identifier: MIT */
#include "timers.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "keeper.h"
#include "lineage.h"
#include "process.h"
#include "threads.h"
#include "timerfds.h"

/* Lost with the supervisor where there is no memory to share. */
struct supervisor_timers *timers_open(void)
{
    static struct supervisor_timers own;
    void *shared = mmap(NULL, sizeof(own), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return shared == MAP_FAILED ? &own : shared;
}

bool timers_are_real(const struct question *q)
{
    return supervisor_is_real(q, DETRUN_TIMER) || supervisor_is_real(q, DETRUN_SLEEP);
}

long timers_leave(const struct question *q)
{
    supervisor_gap(q, DETRUN_GAP_REAL_TIMER);
    return ANSWER_CONTINUE;
}

struct detrun_task *timers_process(const struct supervisor_timer *t)
{
    return &t->job->memory->tasks[t->process];
}

static uint32_t nonce_of(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->nonce, memory_order_relaxed);
}

static bool is_of(const struct supervisor_timer *t, const struct supervisor_job *job,
                  const struct detrun_task *process)
{
    return t->kind != TIMER_FREE && t->job == job &&
           t->process == lineage_index(job->memory, process) && t->nonce == nonce_of(process);
}

struct supervisor_timer *timers_find(const struct question *q, enum supervisor_timer_kind kind,
                                     int32_t id)
{
    for (unsigned i = 0; i < q->s->timers->end; i++) {
        struct supervisor_timer *t = &q->s->timers->all[i];
        if (t->kind == kind && t->id == id && is_of(t, q->job, q->process))
            return t;
    }
    return NULL;
}

static struct supervisor_timer *free_timer(struct supervisor *s)
{
    for (unsigned i = 0; i < SUPERVISOR_TIMERS; i++)
        if (s->timers->all[i].kind == TIMER_FREE) {
            s->timers->end = i < s->timers->end ? s->timers->end : i + 1;
            return &s->timers->all[i];
        }
    return NULL;
}

static int32_t pid_of(const struct supervisor_timer *t)
{
    return atomic_load_explicit(&timers_process(t)->real_pid, memory_order_relaxed);
}

struct supervisor_timer *timers_add(const struct question *q, enum supervisor_timer_kind kind,
                                    int32_t id, enum detrun_family family)
{
    struct supervisor_timer *t = free_timer(q->s);
    if (!t || atomic_load_explicit(&q->process->real_pid, memory_order_relaxed) <= 0)
        return NULL;
    *t = (struct supervisor_timer){
        .kind = kind,
        .job = q->job,
        .process = lineage_index(q->m, q->process),
        .nonce = nonce_of(q->process),
        .id = id,
        .family = family,
        .notify = SIGEV_SIGNAL,
        .signal = SIGALRM,
        .fd = -1,
    };
    return t;
}

void timers_drop(struct supervisor *s, struct supervisor_timer *t)
{
    if (t->kind == TIMER_DESCRIPTOR && t->fd >= 0)
        close(t->fd);
    *t = (struct supervisor_timer){.fd = -1};
    while (s->timers->end > 0 && s->timers->all[s->timers->end - 1].kind == TIMER_FREE)
        s->timers->end--;
}

/* A thread that is in the handler of the signal that ended its sleep is where the job is, whatever
 * its record says as yet. */
static uint64_t present(const struct question *q)
{
    uint64_t own = clock_hand_on(q->task);
    uint64_t now = clock_job(q->m);
    return now > own ? now : own;
}

static int64_t present_view(const struct question *q, enum detrun_family family)
{
    uint64_t base = atomic_load_explicit(&q->task->base, memory_order_relaxed);
    uint64_t now = clock_job(q->m);
    int64_t view = clock_view(q->m, q->task, family);
    bool behind = now > base && !clock_is_shared(q->m, family);
    return behind ? view + (int64_t)(now - base) : view;
}

int64_t timers_left(const struct question *q, const struct supervisor_timer *t)
{
    return t->deadline_ns - present_view(q, t->family);
}

static int64_t add_ns(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void advance(struct supervisor_timer *t, uint64_t expiries)
{
    uint64_t ns;
    if (__builtin_mul_overflow(t->interval_ns, expiries, &ns) || ns > INT64_MAX)
        ns = INT64_MAX;
    t->target += ns;
    t->due_ns += ns;
    t->deadline_ns = add_ns(t->deadline_ns, (int64_t)ns);
}

/* @return how many expiries there were up to this much time after the next one */
static uint64_t expiries_in(const struct supervisor_timer *t, uint64_t ns)
{
    return t->interval_ns ? ns / t->interval_ns + 1 : 1;
}

static int as_overrun(uint64_t expiries)
{
    return expiries < INT32_MAX ? (int)expiries : INT32_MAX;
}

static void send(struct supervisor_timer *t, uint64_t expiries)
{
    siginfo_t info;
    memset(&info, 0, sizeof(info));
    t->overrun = as_overrun(expiries - 1);
    t->sent = true;
    info.si_signo = t->signal;
    info.si_code = SI_TIMER;
    info.si_timerid = t->kind == TIMER_POSIX ? t->id : DETRUN_TIMER_INTERVAL;
    info.si_overrun = t->overrun;
    info.si_value.sival_ptr = (void *)(uintptr_t)t->value;
    atomic_fetch_add_explicit(&t->job->memory->shared.signals, 1, memory_order_release);
    long error = t->tid ? syscall(SYS_rt_tgsigqueueinfo, pid_of(t), t->tid, t->signal, &info)
                        : syscall(SYS_rt_sigqueueinfo, pid_of(t), t->signal, &info);
    if (error)
        lineage_count_gap(t->job->memory, DETRUN_GAP_REAL_TIMER);
}

static void tell(struct supervisor_timer *t, uint64_t expiries)
{
    if (t->kind == TIMER_DESCRIPTOR)
        timerfds_tick(t, expiries);
    else if (t->notify != SIGEV_NONE)
        send(t, expiries);
}

static void expire(struct supervisor_timer *t, uint64_t passed_ns)
{
    uint64_t expiries = expiries_in(t, passed_ns);
    tell(t, expiries);
    if (t->interval_ns)
        advance(t, expiries);
    else
        t->armed = false;
}

void timers_arm(const struct question *q, struct supervisor_timer *t,
                const struct timer_setting *setting)
{
    int64_t view = present_view(q, t->family);
    int64_t left = setting->absolute ? setting->value_ns - view : setting->value_ns;
    t->armed = setting->value_ns > 0;
    t->interval_ns = t->armed ? setting->interval_ns : 0;
    t->sent = false;
    t->overrun = 0;
    if (!t->armed)
        return;
    t->target = present(q) + (uint64_t)left;
    t->due_ns = supervisor_now_ns() + (uint64_t)left;
    t->deadline_ns = add_ns(view, left);
    if (left <= 0)
        expire(t, (uint64_t)-left);
    keeper_watch(q->s);
}

static bool is_pending(const struct supervisor_timer *t)
{
    const char *pending = t->tid ? "\nSigPnd:" : "\nShdPnd:";
    int32_t tid = t->tid ? t->tid : pid_of(t);
    uint64_t mask = process_status(tid, pending, 16) | process_status(tid, "\nSigIgn:", 16);
    return (mask >> (t->signal - 1) & 1) != 0;
}

/* The kernel goes on with an interval when the signal of the last expiry is taken. */
void timers_settle(struct supervisor_timer *t)
{
    uint64_t now = clock_job(t->job->memory);
    if (!t->sent || is_pending(t))
        return;
    t->sent = false;
    if (!t->armed || t->interval_ns == 0 || t->target > now)
        return;
    uint64_t expiries = expiries_in(t, now - t->target);
    t->overrun = as_overrun((uint64_t)t->overrun + expiries);
    advance(t, expiries);
}

static bool will_tell(const struct supervisor_timer *t)
{
    return t->kind != TIMER_FREE && t->armed && t->notify != SIGEV_NONE;
}

static bool is_taken(struct supervisor_timer *t)
{
    if (t->kind == TIMER_DESCRIPTOR)
        return !timerfds_unread(t);
    timers_settle(t);
    return !t->sent;
}

/* A stopped process waits for no time. */
bool timers_are_awaited(struct supervisor_timer *t)
{
    return will_tell(t) && is_taken(t) && !strchr("tT", process_state(pid_of(t)));
}

bool timers_are_armed(const struct supervisor *s)
{
    for (unsigned i = 0; i < s->timers->end; i++)
        if (will_tell(&s->timers->all[i]))
            return true;
    return false;
}

/* Also where reading its clock has moved its process beyond the deadline. */
uint64_t timers_due_ns(const struct supervisor_timer *t)
{
    int64_t view = clock_view(t->job->memory, timers_process(t), t->family);
    return view > t->deadline_ns ? 0 : t->due_ns;
}

/* Leaders may end before their threads do. */
static bool has_ended(int32_t pid)
{
    int32_t tids[2];
    return !process_is_alive(pid) && process_threads(pid, tids, 2) < 2;
}

static bool has_process(const struct supervisor_timer *t)
{
    const struct detrun_task *process = timers_process(t);
    uint32_t state = lineage_state(process);
    return nonce_of(process) == t->nonce && (state == DETRUN_RUNNING || state == DETRUN_ENDED) &&
           !has_ended(pid_of(t));
}

bool timers_are_alive(struct supervisor *s, struct supervisor_timer *t)
{
    bool alive = t->kind == TIMER_DESCRIPTOR ? timerfds_find_holder(s, t) : has_process(t);
    if (!alive)
        timers_drop(s, t);
    return alive;
}

struct waking {
    struct supervisor_job *job;
    uint32_t process;
    uint64_t now;
};

/* Who waits in a call that tells nothing of it has waited until now. */
static void raise_waiting(struct supervisor_job *job, struct detrun_task *t, void *argument)
{
    const struct waking *w = argument;
    if (job != w->job || t->process != w->process || lineage_state(t) != DETRUN_RUNNING ||
        atomic_load_explicit(&t->activity, memory_order_acquire) != DETRUN_ACTIVE)
        return;
    if (w->now > clock_hand_on(t))
        clock_raise(t, w->now);
}

#define BIT(signal) (UINT64_C(1) << ((signal)-1))
#define DO_NOT_END                                                                                 \
    (BIT(SIGCHLD) | BIT(SIGCONT) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGSTOP) | BIT(SIGTSTP) |     \
     BIT(SIGTTIN) | BIT(SIGTTOU))

/* Without a handler the signal is the end of the process. */
static bool is_fatal(const struct supervisor_timer *t)
{
    int32_t pid = pid_of(t);
    return t->kind != TIMER_DESCRIPTOR && t->notify != SIGEV_NONE &&
           ((DO_NOT_END | process_status(pid, "\nSigCgt:", 16) |
             process_status(pid, "\nSigIgn:", 16) | process_status(pid, "\nSigBlk:", 16)) &
            BIT(t->signal)) == 0;
}

/* It computed until then, as whoever waits for its end shall see. */
static void end_at_target(const struct supervisor_timer *t)
{
    struct detrun_task *process = timers_process(t);
    if (is_fatal(t) && t->target > clock_hand_on(process))
        clock_raise(process, t->target);
}

void timers_expire(struct supervisor *s, struct supervisor_timer *t, bool in_turn)
{
    uint64_t now = clock_job(t->job->memory);
    struct waking waking = {t->job, t->process, now};
    if (in_turn) {
        threads_each(s, raise_waiting, &waking);
    } else {
        end_at_target(t);
        lineage_count_gap(t->job->memory, DETRUN_GAP_EARLY_TIMEOUT);
    }
    expire(t, now > t->target ? now - t->target : 0);
    if (t->kind != TIMER_POSIX && !t->armed)
        timers_drop(s, t);
}

/* Whoever reads it next finds all that has come. */
void timers_moved(struct supervisor *s, const struct supervisor_job *job)
{
    uint64_t now = clock_job(job->memory);
    for (unsigned i = 0; i < s->timers->end; i++) {
        struct supervisor_timer *t = &s->timers->all[i];
        if (t->kind == TIMER_DESCRIPTOR && t->job == job && t->armed && t->target <= now &&
            timerfds_unread(t))
            expire(t, now - t->target);
    }
}

/* Where it was in the middle of one the end may not have been written. */
void timers_recover(struct supervisor *s)
{
    s->timers->end = SUPERVISOR_TIMERS;
    for (unsigned i = s->timers->end; i-- > 0;) {
        struct supervisor_timer *t = &s->timers->all[i];
        t->fd = -1;
        bool lost = t->kind == TIMER_FREE || !t->job->memory;
        if (lost || (t->kind == TIMER_DESCRIPTOR && !timerfds_open_again(t, pid_of(t))))
            timers_drop(s, t);
    }
}

void timers_forget_image(const struct question *q)
{
    for (unsigned i = q->s->timers->end; i-- > 0;)
        if (q->s->timers->all[i].kind == TIMER_POSIX &&
            is_of(&q->s->timers->all[i], q->job, q->process))
            timers_drop(q->s, &q->s->timers->all[i]);
}

void timers_forget_dead(struct supervisor *s)
{
    for (unsigned i = s->timers->end; i-- > 0;)
        if (s->timers->all[i].kind != TIMER_FREE)
            timers_are_alive(s, &s->timers->all[i]);
}

void timers_forget_job(struct supervisor *s, const struct supervisor_job *job)
{
    for (unsigned i = s->timers->end; i-- > 0;)
        if (s->timers->all[i].kind != TIMER_FREE && s->timers->all[i].job == job)
            timers_drop(s, &s->timers->all[i]);
}
