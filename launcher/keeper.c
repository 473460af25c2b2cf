/* SPDX-License-Identifier: MIT */
#include "keeper.h"

#include "patience.h"
#include "sleepers.h"
#include "threads.h"
#include "timers.h"

/* Real time between two looks: SHORTEST after time has moved, then twice as long each time. */
#define SHORTEST_NS UINT64_C(20000)
#define LONGEST_NS  UINT64_C(2000000)

/* Whoever computes holds time still, but not for ever: others may wait for it to see what they do.
 * Once the job has computed for so long since time moved last, time-outs run out in real time. */
#define COMPUTING_NS UINT64_C(1000000000)
#define TIMER_NS     UINT64_C(50000000) /* whoever has set a timer may be at its signal's mercy */
#define PATIENCE_NS  UINT64_C(20000000000)
/* Not all are blocked, as far as can be seen, but nobody computes either. */
#define IDLE_NS      UINT64_C(1000000000)

static bool has_flag(const struct supervisor *s, uint32_t flag)
{
    return (s->memory->params.flags & flag) != 0;
}

static void start_over(struct supervisor *s, uint64_t now)
{
    s->keeper.pause_ns = SHORTEST_NS;
    s->keeper.since_ns = now;
    s->keeper.computed_ns = 0;
    s->keeper.idle_since_ns = now;
    s->keeper.naps_ended = 0;
    s->keeper.next_ns = now + SHORTEST_NS;
}

static void set_watched(const struct supervisor *s, uint32_t watched)
{
    for (const struct supervisor_job *job = s->jobs; job < s->jobs + s->job_end; job++)
        if (job->memory)
            atomic_store(&job->memory->shared.watched, watched);
}

/* Who goes to sleep may have been the last one awake. */
static void look_soon(struct supervisor *s)
{
    uint64_t soon = supervisor_now_ns() + SHORTEST_NS;
    s->keeper.pause_ns = SHORTEST_NS;
    s->keeper.next_ns = soon < s->keeper.next_ns ? soon : s->keeper.next_ns;
}

void keeper_watch(struct supervisor *s)
{
    if (s->keeper.watches) {
        look_soon(s);
        return;
    }
    s->keeper.watches = true;
    set_watched(s, 1);
    start_over(s, supervisor_now_ns());
}

/* Who goes to sleep just now has not seen that we look away: look once more. */
static int64_t look_away(struct supervisor *s)
{
    set_watched(s, 0);
    s->keeper.watches = false;
    if (!sleepers_any(s))
        return -1;
    keeper_watch(s);
    return (int64_t)SHORTEST_NS;
}

static bool is_due(const struct sleeper *sleeper, uint64_t now)
{
    return sleepers_due_ns(sleeper, now) <= now;
}

/* Many computing threads or one, on however busy a machine. */
static bool computes_for_ever(struct supervisor *s, uint64_t limit, uint64_t now)
{
    struct supervisor_keeper *k = &s->keeper;
    if (now - k->since_ns < limit / 8)
        return false;
    uint64_t computed = threads_cpu_time(s);
    if (computed != k->computed_last_ns)
        k->idle_since_ns = now;
    k->computed_last_ns = computed;
    if (k->computed_ns == 0 || computed < k->computed_ns)
        k->computed_ns = computed;
    return computed - k->computed_ns > limit || now - k->since_ns > PATIENCE_NS ||
           now - k->idle_since_ns > IDLE_NS;
}

bool keeper_lets_time_pass(struct supervisor *s, const struct detrun_task *process)
{
    uint32_t flags = atomic_load_explicit(&process->flags, memory_order_relaxed);
    return has_flag(s, DETRUN_FLAG_REAL_TIME) || (flags & DETRUN_TASK_UNREACHABLE) ||
           s->keeper.awaits_outside || computes_for_ever(s, COMPUTING_NS, supervisor_now_ns());
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int64_t look_later(struct supervisor *s, uint64_t now)
{
    s->keeper.pause_ns = least(s->keeper.pause_ns * 2, LONGEST_NS);
    s->keeper.next_ns = now + s->keeper.pause_ns;
    return (int64_t)s->keeper.pause_ns;
}

/* In real time the next move waits for its moment: no look is needed before. */
static int64_t wait_until_due(struct supervisor *s, const struct sleeper *sleeper, uint64_t now)
{
    uint64_t due = sleepers_due_ns(sleeper, now);
    s->keeper.next_ns = least(due, now + LONGEST_NS * 50);
    return (int64_t)(s->keeper.next_ns - now);
}

/* Stopped ones and timers are looked at again: who was stopped may be continued, and a signal that
 * is blocked now be waited for later. */
static int64_t nobody_sleeps(struct supervisor *s, uint64_t now)
{
    return timers_are_armed(s) || sleepers_any(s) ? look_later(s, now) : look_away(s);
}

/* One whose wait the kernel has ended since all were seen blocked goes on, and one that has jumped
 * out of its wait blocks in another call: only that one is as it was at the next look. */
static bool are_newly_absent(struct supervisor_keeper *k, uint64_t absent)
{
    bool newly = absent != 0 && absent != k->absent;
    k->absent = absent;
    return newly;
}

/* Found only now: who went to sleep while the others were looked at may be the first. */
static int64_t move_time(struct supervisor *s, bool awaits_outside, uint64_t now)
{
    struct sleeper first;
    uint64_t absent;
    if (!sleepers_first(s, &first, &absent))
        return nobody_sleeps(s, now);
    if (are_newly_absent(&s->keeper, absent))
        return look_later(s, now);
    bool real =
        awaits_outside || has_flag(s, DETRUN_FLAG_REAL_TIME) || sleepers_unreachable(&first);
    if (real && !is_due(&first, now))
        return wait_until_due(s, &first, now);
    sleepers_release(s, &first, true);
    start_over(s, now);
    return (int64_t)SHORTEST_NS;
}

static int64_t look(struct supervisor *s, uint64_t now)
{
    struct sleeper first;
    uint64_t absent;
    if (threads_all_blocked(s, &s->keeper.awaits_outside))
        return move_time(s, s->keeper.awaits_outside, now);
    if (!sleepers_first(s, &first, &absent))
        return nobody_sleeps(s, now);
    uint64_t limit = first.timer ? TIMER_NS : COMPUTING_NS;
    bool over = is_due(&first, now) && computes_for_ever(s, limit, now);
    if (patience_is_over(s, &first, now) && over) {
        patience_lost(s, &first);
        sleepers_release(s, &first, false);
    }
    return look_later(s, now);
}

int64_t keeper_look(struct supervisor *s)
{
    if (!s->keeper.watches)
        return -1;
    uint64_t now = supervisor_now_ns();
    if (now < s->keeper.next_ns)
        return (int64_t)(s->keeper.next_ns - now);
    return look(s, now);
}
