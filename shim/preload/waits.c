/* SPDX-License-Identifier: MIT */
#include "waits.h"

#include <linux/futex.h>
#include <stdatomic.h>

#include "clock.h"
#include "poison.h"
#include "raw.h"
#include "task.h"
#include "timespec.h"

/* What the kernel is given on top, for the case that there is no keeper any more. */
#define BACKSTOP_NS   (2 * TIMESPEC_SECOND)
#define STAND_BACK_NS (20 * TIMESPEC_SECOND)
#define LOOK_NS       (TIMESPEC_SECOND / 10)

/* Of the calling thread's last wait with a time-out: how long that was, 0 once something else ended
 * it. */
static __thread int64_t slept_ns;
static __thread unsigned looks; /* without a wait, since then */

static void begin(struct detrun_task *t, enum detrun_activity activity, enum detrun_waits_on on)
{
    atomic_store_explicit(&t->waits_on, on, memory_order_relaxed);
    uint32_t beat = atomic_load_explicit(&t->beat, memory_order_relaxed);
    atomic_store_explicit(&t->beat, beat + 1, memory_order_relaxed);
    atomic_store_explicit(&t->activity, activity, memory_order_release);
}

/* A handler's wait leaves the record to another that was about to begin, and has to begin anew. */
#define DISTURBED 3U

static void end(struct detrun_task *t)
{
    begin(t, DETRUN_ACTIVE, DETRUN_ON_OTHERS);
    atomic_store_explicit(&t->released, DISTURBED, memory_order_release);
}

/* It waited until now: nobody in the job is further. */
static void catch_up(struct detrun_task *t)
{
    uint64_t now = clock_job(shim.memory);
    if (now > clock_hand_on(t))
        clock_raise(t, now);
}

enum detrun_waits_on waits_on_futex(struct detrun_task *t, const struct detrun_futex *futex)
{
    uint32_t wakes = atomic_load_explicit(&futex->wakes, memory_order_acquire);
    atomic_store_explicit(&t->wakes, wakes, memory_order_relaxed);
    return (enum detrun_waits_on)(DETRUN_ON_FUTEX + (futex - shim.memory->futexes));
}

void waits_wake(struct detrun_futex *futex)
{
    atomic_fetch_add_explicit(&futex->wakes, 1, memory_order_release);
}

void waits_signal(void)
{
    if (task_current)
        atomic_fetch_add_explicit(&shim.memory->shared.signals, 1, memory_order_release);
}

void waits_pause(struct detrun_task *t, enum detrun_waits_on on)
{
    begin(t, DETRUN_BLOCKED, on);
}

void waits_resume(struct detrun_task *t)
{
    if (atomic_load_explicit(&t->activity, memory_order_relaxed) != DETRUN_BLOCKED)
        slept_ns = 0;
    end(t);
    catch_up(t);
}

/* A record of the process's own is not seen from outside. */
static bool is_in_table(const struct detrun_task *t)
{
    return t >= shim.memory->tasks && t < shim.memory->tasks + DETRUN_MAX_TASKS;
}

static bool is_told(const struct detrun_task *t)
{
    return !shim.alone && !shim.sandboxed && !task_leaves_real(DETRUN_SLEEP) && is_in_table(t);
}

static bool is_reachable(const struct detrun_task *t)
{
    const struct detrun_task *process = &shim.memory->tasks[t->process % DETRUN_MAX_TASKS];
    uint32_t flags = atomic_load_explicit(&process->flags, memory_order_relaxed);
    return (flags & DETRUN_TASK_UNREACHABLE) == 0;
}

bool waits_are_kept(const struct detrun_task *t)
{
    return is_told(t) && is_reachable(t);
}

/* Either the keeper sees the sleeper before it looks away, or the sleeper sees that it has. */
static void call_keeper(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&shim.memory->shared.watched, memory_order_relaxed))
        raw_private(DETRUN_OP_WAIT, 0, 0, 0);
}

static void begin_sleep(struct detrun_task *t, enum detrun_waits_on on, uint64_t target)
{
    atomic_store_explicit(&t->target, target, memory_order_relaxed);
    atomic_store_explicit(&t->released, 0, memory_order_relaxed);
    begin(t, DETRUN_ASLEEP, on);
    if (is_told(t))
        call_keeper();
}

int64_t waits_sleep(struct detrun_task *t, enum detrun_waits_on on, int64_t ns)
{
    if (ns <= 0)
        return 0;
    slept_ns = ns;
    looks = 0;
    begin_sleep(t, on, waits_target(t, ns));
    if (!waits_are_kept(t))
        return ns;
    return ns < INT64_MAX - BACKSTOP_NS ? ns + BACKSTOP_NS : ns;
}

static long wait_for_keeper(struct detrun_task *t, int64_t ns)
{
    struct timespec timeout = timespec_of(ns);
    return raw6(SYS_futex, (long)&t->released, FUTEX_WAIT, 0, (long)&timeout, (long)DETRUN_PASS, 0);
}

long waits_on_keeper(struct detrun_task *t, int64_t ns)
{
    return wait_for_keeper(t, ns) == -EINTR ? -EINTR : 0;
}

static bool has_come(const uint32_t *word, uint32_t value)
{
    return word && __atomic_load_n(word, __ATOMIC_ACQUIRE) != value;
}

static uint32_t release_of(const struct detrun_task *t)
{
    return atomic_load_explicit(&t->released, memory_order_acquire);
}

bool waits_were_disturbed(const struct detrun_task *t)
{
    return release_of(t) == DISTURBED;
}

/* Only where the kernel ended the wait: there is more to wait for than the time. */
static void stand_back(struct detrun_task *t, const uint32_t *word, uint32_t value)
{
    for (int64_t ns = 0; !release_of(t) && !has_come(word, value) && ns < STAND_BACK_NS;
         ns += LOOK_NS)
        wait_for_keeper(t, LOOK_NS);
}

/* A loop that looks again and again without a wait needs others' time-outs to run out. */
#define SETTLES 64

bool waits_settle(struct detrun_task *t)
{
    static __thread uint64_t instant;
    static __thread unsigned count;
    uint64_t now = clock_job(shim.memory);
    if (instant != now)
        count = 0;
    instant = now;
    if (count >= SETTLES || !waits_are_kept(t))
        return false;
    begin_sleep(t, DETRUN_ON_NOBODY, clock_hand_on(t));
    wait_for_keeper(t, STAND_BACK_NS);
    count = release_of(t) == 2 ? SETTLES : count + 1;
    end(t);
    return true;
}

/* Nobody keeps the job's time: it is where the last sleeper's is. */
static void move_job_time(uint64_t to)
{
    _Atomic uint64_t *now = &shim.memory->shared.now;
    uint64_t seen = atomic_load_explicit(now, memory_order_relaxed);
    while (seen < to && !atomic_compare_exchange_weak(now, &seen, to))
        ;
}

enum waits_end waits_run_out(struct detrun_task *t, const uint32_t *word, uint32_t value)
{
    bool told = is_told(t);
    if (atomic_load_explicit(&t->activity, memory_order_relaxed) == DETRUN_ACTIVE)
        return WAITS_IN_TIME; /* it was over before it began */
    if (told)
        stand_back(t, word, value);
    else
        move_job_time(atomic_load_explicit(&t->target, memory_order_relaxed));
    uint32_t release = release_of(t);
    end(t);
    if (release != 1)
        slept_ns = 0;
    if (told && !release && has_come(word, value)) {
        catch_up(t);
        return WAITS_EVENT;
    }
    return !told || release == 1 ? WAITS_IN_TIME : WAITS_EARLY;
}

bool waits_looks_again(const struct detrun_task *t)
{
    return slept_ns > 1 && looks++ == 1 && waits_are_kept(t);
}

uint64_t waits_target(const struct detrun_task *t, int64_t ns)
{
    return clock_hand_on(t) + (uint64_t)ns;
}

/* Not task.target: a handler may have slept meanwhile. */
int64_t waits_left(const struct detrun_task *t, uint64_t target, int64_t ns)
{
    uint64_t now = clock_job(shim.memory);
    if (clock_hand_on(t) > now)
        now = clock_hand_on(t);
    int64_t left = target > now ? (int64_t)(target - now) : 0;
    return left < ns ? left : ns;
}
