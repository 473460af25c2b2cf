/* SPDX-License-Identifier: MIT */
/*
 * Held requests: waits that are not answered before the keeper comes to their deadline, what they
 * wait for has come, or a signal has. Meanwhile the thread waits in the kernel deaf to signals
 * (WAIT_KILLABLE_RECV): they are looked for.
 */
#include "supervisor_hold.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "guest.h"
#include "keeper.h"
#include "lineage.h"
#include "process.h"
#include "timespec.h"

#define WATCH_NS        UINT64_C(1000000)
#define SIGNAL_CHECK_NS UINT64_C(10000000)
#define MANY            16 /* so many are checked as often; twice as many half as often */

static long keep(struct question *q, struct supervisor_hold hold)
{
    hold.active = true;
    hold.source = q->source;
    hold.job = q->job;
    q->s->holds[q->slot] = hold;
    q->s->held++;
    q->s->next_look_ns = 0;
    return ANSWER_HELD;
}

long wait_hold(struct question *q, struct supervisor_hold hold)
{
    int64_t left = hold.deadline_ns - clock_view(q->m, q->task, hold.family);
    if (left <= 0) {
        clock_reach(q->m, q->task, hold.family, hold.deadline_ns);
        return hold.at_deadline;
    }
    hold.target = clock_hand_on(q->task) + (uint64_t)left;
    keeper_watch(q->s);
    hold.until_ns = supervisor_now_ns() + (uint64_t)left;
    return keep(q, hold);
}

long wait_nap(struct question *q, int64_t ns)
{
    return keep(q, (struct supervisor_hold){.nap = true,
                                            .until_ns = supervisor_now_ns() + (uint64_t)ns,
                                            .restarts = ERESTARTNOHAND});
}

bool hold_is_pi(int command)
{
    return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
}

/* A PI lock is the kernel's to take: it goes on when the word names no owner any more. */
bool hold_has_changed(const struct supervisor_hold *h, uint32_t word)
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
    if (!h->word || guest_read(tid, h->word, &word, sizeof(word)) != 0 ||
        !hold_has_changed(h, word))
        return ANSWER_HELD;
    return h->passes_on ? ANSWER_CONTINUE : 0;
}

static int32_t tid_of(const struct supervisor *s, unsigned slot)
{
    return (int32_t)s->memory->shared.inflight[slot].request.pid;
}

struct supervisor_hold *wait_held(struct supervisor *s, int32_t tid)
{
    for (unsigned slot = 0; s->held != 0 && slot < DETRUN_INFLIGHT; slot++)
        if (s->holds[slot].active && tid_of(s, slot) == tid)
            return &s->holds[slot];
    return NULL;
}

/* What goes on may send a signal, and does not tell. */
static void let_go(struct supervisor *s, unsigned slot, long value)
{
    s->keeper.settled = false;
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

/* Nobody in the job is further, and whoever waits is where the job is. */
static void catch_up(struct supervisor_who who)
{
    uint64_t now = clock_job(who.job->memory);
    if (now > clock_hand_on(who.task))
        clock_raise(who.task, now);
}

void wait_time_is_up(struct supervisor *s, const struct supervisor_hold *h, bool in_turn)
{
    unsigned slot = (unsigned)(h - s->holds);
    struct supervisor_who who = task_of(s, tid_of(s, slot));
    if (who.task) {
        uint64_t before = atomic_load_explicit(&who.task->base, memory_order_relaxed);
        wait_reach(who.job->memory, who.task, h->family, h->deadline_ns);
        uint64_t after = atomic_load_explicit(&who.task->base, memory_order_relaxed);
        if (in_turn)
            catch_up(who);
        else
            clock_keep(who.task, after - before);
    }
    if (!in_turn)
        lineage_count_gap(h->job->memory, DETRUN_GAP_EARLY_TIMEOUT);
    let_go(s, slot, h->at_deadline);
}

/* What is left of a relative sleep, where its caller wants it. */
static void tell_rest(struct supervisor *s, unsigned slot)
{
    const struct supervisor_hold *h = &s->holds[slot];
    struct supervisor_who who = task_of(s, tid_of(s, slot));
    if (!who.task || h->rest == 0)
        return;
    catch_up(who);
    int64_t left = h->deadline_ns - clock_view(who.job->memory, who.task, h->family);
    struct timespec rest = timespec_of(left > 0 ? left : 0);
    struct question q = {.s = s, .request = &s->memory->shared.inflight[slot].request};
    if (guest_write(&q, h->rest, &rest, sizeof(rest)) != 0)
        lineage_count_gap(who.job->memory, DETRUN_GAP_GUEST_SILENT);
}

static bool is_still_asked(const struct supervisor *s, unsigned slot)
{
    __u64 id = s->memory->shared.inflight[slot].request.id;
    return ioctl(s->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* A signal without a handler only stops the thread, or ends it. */
static bool has_signal_ended(struct supervisor *s, unsigned slot, bool or_stop)
{
    const struct supervisor_hold *h = &s->holds[slot];
    struct process_interruption found = process_interruption(tid_of(s, slot), or_stop);
    if (found.gone && !is_still_asked(s, slot)) {
        let_go(s, slot, ANSWER_CONTINUE);
        return true;
    }
    if (found.signal == PROCESS_SIGNAL_NONE)
        return false;
    if (h->relative && found.handled)
        tell_rest(s, slot);
    else if (h->relative)
        wait_resume_later(s, tid_of(s, slot), h);
    let_go(s, slot, found.signal == PROCESS_SIGNAL_SURE ? -h->restarts : -EINTR);
    return true;
}

bool wait_end_naps(struct supervisor *s)
{
    bool any = false;
    for (unsigned slot = 0; s->held != 0 && slot < DETRUN_INFLIGHT; slot++)
        if (s->holds[slot].active && s->holds[slot].nap) {
            let_go(s, slot, 0);
            any = true;
        }
    return any;
}

static bool has_ended(struct supervisor *s, unsigned slot)
{
    long result = wait_has_come(&s->holds[slot], tid_of(s, slot));
    if (result == ANSWER_HELD)
        return false;
    let_go(s, slot, result);
    return true;
}

bool wait_is_over(struct supervisor *s, const struct supervisor_hold *h)
{
    unsigned slot = (unsigned)(h - s->holds);
    return has_ended(s, slot) || has_signal_ended(s, slot, true);
}

static bool goes_on(struct supervisor *s, unsigned slot, bool or_stop)
{
    return has_ended(s, slot) || has_signal_ended(s, slot, or_stop);
}

bool wait_any_goes_on(struct supervisor *s)
{
    bool any = false;
    for (unsigned slot = 0; s->held != 0 && slot < DETRUN_INFLIGHT; slot++)
        if (s->holds[slot].active)
            any |= goes_on(s, slot, false); /* a stop is no reason to go on, and is seen later */
    return any;
}

static void check_hold(struct supervisor *s, unsigned slot, uint64_t now)
{
    struct supervisor_hold *h = &s->holds[slot];
    if (h->nap && now >= h->until_ns)
        let_go(s, slot, 0);
    else if (now >= h->next_signal_check_ns) {
        h->next_signal_check_ns = now + SIGNAL_CHECK_NS * (1 + s->held / MANY);
        goes_on(s, slot, true);
    } else {
        has_ended(s, slot);
    }
}

/* Signals have to be looked for even where no word is watched.
 * @return real time until then, ns */
static uint64_t next_look(const struct supervisor_hold *h, uint64_t now)
{
    uint64_t next = h->word || h->events ? WATCH_NS : SIGNAL_CHECK_NS;
    if (h->nap && h->until_ns < now + next)
        return h->until_ns > now ? h->until_ns - now : 0;
    return next;
}

static uint64_t look_at_holds(struct supervisor *s, uint64_t now)
{
    uint64_t next = SIGNAL_CHECK_NS;
    for (unsigned slot = 0; slot < DETRUN_INFLIGHT; slot++) {
        const struct supervisor_hold *h = &s->holds[slot];
        if (h->active)
            check_hold(s, slot, now);
        if (h->active && next_look(h, now) < next)
            next = next_look(h, now);
    }
    return next;
}

/* Other requests in between do not bring the next look nearer. */
int64_t wait_check_holds(struct supervisor *s)
{
    if (s->held == 0)
        return -1;
    uint64_t now = supervisor_now_ns();
    if (now >= s->next_look_ns)
        s->next_look_ns = now + look_at_holds(s, now);
    return s->held == 0 ? -1 : (int64_t)(s->next_look_ns - now);
}
