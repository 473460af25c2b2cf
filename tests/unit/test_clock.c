/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "clock.h"
#include "job.h"

static const int64_t epoch = DETRUN_DEFAULT_EPOCH_NS;
static const int64_t mono = (int64_t)DETRUN_MONOTONIC_START_NS;
static const int64_t second = 1000000000;

START_TEST(k_reads_are_k_steps)
{
    static const uint64_t steps_ms[] = {0, 1, 16, 250};
    for (unsigned i = 0; i < 4; i++) {
        struct detrun_memory *m = job_new();
        struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
        uint64_t step = steps_ms[i] * 1000000;
        for (int f = 0; f < DETRUN_FAMILIES; f++)
            m->params.step_ns[f] = step;
        for (int k = 1; k <= 100; k++)
            for (int f = 0; f < DETRUN_FAMILIES; f++) {
                int64_t start = f == 0 ? epoch : f == 1 ? mono : (int64_t)DETRUN_CPU_START_NS;
                ck_assert_int_eq(clock_read(m, t, (enum detrun_family)f),
                                 start + k * (int64_t)step);
            }
        job_free(m);
    }
}
END_TEST

START_TEST(families_count_their_own_reads)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    for (int k = 0; k < 5000; k++)
        ck_assert_int_eq(clock_read(m, t, DETRUN_FAMILY_MONO), mono);
    ck_assert_int_eq(clock_read(m, t, DETRUN_FAMILY_WALL), epoch + (int64_t)JOB_STEP_NS);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), epoch + (int64_t)JOB_STEP_NS);
}
END_TEST

START_TEST(a_sleep_moves_wall_and_monotonic_exactly)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    clock_sleep(m, t, 1234567891);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), epoch + 1234567891);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), mono + 1234567891);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_CPU), (int64_t)DETRUN_CPU_START_NS);
}
END_TEST

START_TEST(a_spin_of_ten_seconds_ends_soon_after_the_guard)
{
    static const uint32_t thresholds[] = {CLOCK_GUARD_READS, CLOCK_GUARD_READS_NOTIFIED};
    for (int i = 0; i < 2; i++) {
        struct detrun_memory *m = job_new();
        struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
        t->guard_reads = thresholds[i];
        for (unsigned k = 0; k < thresholds[i]; k++)
            ck_assert_int_eq(clock_read(m, t, DETRUN_FAMILY_MONO), mono);
        ck_assert_uint_eq(m->shared.gaps[DETRUN_GAP_SPIN_GUARD], 0);
        int64_t last = mono;
        uint32_t reads = 0;
        for (; last < mono + 10 * second; reads++) {
            int64_t now = clock_read(m, t, DETRUN_FAMILY_MONO);
            ck_assert_int_gt(now, last);
            last = now;
        }
        ck_assert_uint_lt(reads, thresholds[i]);
        ck_assert_uint_eq(m->shared.gaps[DETRUN_GAP_SPIN_GUARD], 1);
        job_free(m);
    }
}
END_TEST

START_TEST(a_wait_rearms_the_spin_guard)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    for (unsigned k = 0; k < t->guard_reads; k++)
        clock_read(m, t, DETRUN_FAMILY_MONO);
    clock_sleep(m, t, 1);
    ck_assert_int_eq(clock_read(m, t, DETRUN_FAMILY_MONO), mono + 1);
    ck_assert_uint_eq(m->shared.gaps[DETRUN_GAP_SPIN_GUARD], 0);
}
END_TEST

START_TEST(every_task_has_a_guard)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    struct detrun_task spare;
    lineage_private(m, t, &spare);
    ck_assert_uint_eq(t->guard_reads, CLOCK_GUARD_READS_NOTIFIED);
    ck_assert_uint_eq(spare.guard_reads, t->guard_reads);
    ck_assert_uint_eq(lineage_prepare(m, t, LINEAGE_THREAD)->guard_reads, t->guard_reads);
}
END_TEST

START_TEST(a_clock_that_steps_needs_no_guard)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    int reads = 3 * (int)CLOCK_GUARD_READS_NOTIFIED;
    for (int k = 0; k < reads; k++)
        clock_read(m, t, DETRUN_FAMILY_WALL);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), epoch + reads * (int64_t)JOB_STEP_NS);
}
END_TEST

START_TEST(a_deadline_is_reached_and_never_passed_backwards)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    clock_reach(m, t, DETRUN_FAMILY_WALL, epoch + second);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), epoch + second);
    clock_reach(m, t, DETRUN_FAMILY_WALL, epoch + 1);
    clock_reach(m, t, DETRUN_FAMILY_MONO, -1);
    /* A wait that was over already moves 1 ns: Ruby's sleep waits until it is beyond its deadline.
     */
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), epoch + second + 2);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), mono + second + 2);
}
END_TEST

START_TEST(a_waker_raises_and_never_lowers)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    clock_raise(t, 500);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), mono + 500);
    clock_raise(t, 400);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), mono + 500);
}
END_TEST

START_TEST(a_child_starts_where_its_creator_stands)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    clock_sleep(m, t, 77);
    clock_read(m, t, DETRUN_FAMILY_WALL);
    m->params.step_ns[DETRUN_FAMILY_CPU] = 1000000;
    clock_read(m, t, DETRUN_FAMILY_CPU);
    struct detrun_task *child = lineage_prepare(m, t, LINEAGE_PROCESS);
    ck_assert_int_eq(clock_view(m, child, DETRUN_FAMILY_WALL),
                     clock_view(m, t, DETRUN_FAMILY_WALL));
    ck_assert_int_eq(clock_view(m, child, DETRUN_FAMILY_MONO), mono + 77);
    ck_assert_int_eq(clock_view(m, child, DETRUN_FAMILY_CPU), (int64_t)DETRUN_CPU_START_NS);
}
END_TEST

START_TEST(nothing_is_earlier_than_what_a_joined_task_last_saw)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *child = lineage_prepare(m, t, LINEAGE_THREAD);
    m->params.step_ns[DETRUN_FAMILY_MONO] = 1000000;
    clock_sleep(m, child, 5);
    int64_t wall = 0;
    int64_t monotonic = 0;
    for (int k = 0; k < 9; k++) {
        wall = clock_read(m, child, DETRUN_FAMILY_WALL);
        monotonic = clock_read(m, child, DETRUN_FAMILY_MONO);
    }
    clock_join(t, child);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), wall);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), monotonic);
    int64_t before = clock_view(m, t, DETRUN_FAMILY_WALL);
    clock_join(t, child);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), before);
}
END_TEST

START_TEST(a_child_reaped_without_blocking_shows_at_the_next_wait)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *child = lineage_prepare(m, t, LINEAGE_PROCESS);
    clock_sleep(m, child, 3 * (uint64_t)second);
    clock_read(m, child, DETRUN_FAMILY_WALL);
    clock_defer(t, child);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL), epoch);
    clock_settle(t);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_WALL),
                     epoch + 3 * second + (int64_t)JOB_STEP_NS);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), mono + 3 * second);
    clock_settle(t);
    ck_assert_int_eq(clock_view(m, t, DETRUN_FAMILY_MONO), mono + 3 * second);
}
END_TEST

static struct detrun_memory *handler_memory;
static struct detrun_task *handler_task;
static volatile int handler_reads;

static void read_in_handler(int signal_number)
{
    (void)signal_number;
    clock_read(handler_memory, handler_task, DETRUN_FAMILY_WALL);
    handler_reads++;
}

START_TEST(reads_of_a_signal_handler_are_not_lost)
{
    handler_memory = job_new();
    handler_task = lineage_root(handler_memory, JOB_REAL_PID);
    struct sigaction action = {.sa_handler = read_in_handler};
    struct itimerval often = {.it_interval.tv_usec = 100, .it_value.tv_usec = 100};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    int64_t own = 0;
    int64_t last = 0;
    while (handler_reads < 200) {
        int64_t now = clock_read(handler_memory, handler_task, DETRUN_FAMILY_WALL);
        ck_assert_int_gt(now, last);
        last = now;
        own++;
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    ck_assert_int_eq(clock_view(handler_memory, handler_task, DETRUN_FAMILY_WALL),
                     epoch + (own + handler_reads) * (int64_t)JOB_STEP_NS);
}
END_TEST

#define READERS 4
#define READS   20000

struct reader {
    struct detrun_memory *m;
    struct detrun_task *t;
    int64_t *values;
};

static void *read_shared(void *argument)
{
    struct reader *r = argument;
    for (int k = 0; k < READS; k++) {
        r->values[k] = clock_read(r->m, r->t, DETRUN_FAMILY_WALL);
        if (k % 64 == 0)
            clock_sleep(r->m, r->t, JOB_STEP_NS);
    }
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static struct detrun_memory *job_clock_new(void)
{
    struct detrun_memory *m = job_new();
    m->params.flags |= DETRUN_FLAG_JOB_CLOCK;
    return m;
}

START_TEST(no_two_reads_of_a_job_clock_are_equal)
{
    static int64_t values[READERS * READS];
    struct detrun_memory *m = job_clock_new();
    struct detrun_task *root = lineage_root(m, JOB_REAL_PID);
    struct reader readers[READERS];
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++) {
        readers[i] = (struct reader){m, lineage_prepare(m, root, LINEAGE_THREAD),
                                     values + (ptrdiff_t)i * READS};
        pthread_create(&threads[i], NULL, read_shared, &readers[i]);
    }
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < READERS; i++)
        for (int k = 1; k < READS; k++)
            ck_assert_int_lt(readers[i].values[k - 1], readers[i].values[k]);
    qsort(values, READERS * READS, sizeof(values[0]), by_value);
    for (int k = 1; k < READERS * READS; k++)
        ck_assert_int_lt(values[k - 1], values[k]);
}
END_TEST

START_TEST(a_job_clock_is_moved_by_all_and_seen_by_all)
{
    struct detrun_memory *m = job_clock_new();
    struct detrun_task *a = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *b = lineage_prepare(m, a, LINEAGE_PROCESS);
    for (int k = 1; k < 100; k += 2) {
        ck_assert_int_eq(clock_read(m, a, DETRUN_FAMILY_WALL), epoch + k * (int64_t)JOB_STEP_NS);
        ck_assert_int_eq(clock_read(m, b, DETRUN_FAMILY_WALL),
                         epoch + (k + 1) * (int64_t)JOB_STEP_NS);
    }
    m->params.step_ns[DETRUN_FAMILY_CPU] = 1;
    clock_read(m, a, DETRUN_FAMILY_CPU);
    ck_assert_int_eq(clock_read(m, b, DETRUN_FAMILY_CPU), (int64_t)DETRUN_CPU_START_NS + 1);
}
END_TEST

START_TEST(sleeps_at_once_pass_once_on_a_job_clock)
{
    struct detrun_memory *m = job_clock_new();
    struct detrun_task *a = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *b = lineage_prepare(m, a, LINEAGE_PROCESS);
    clock_sleep(m, a, (uint64_t)second);
    clock_sleep(m, b, (uint64_t)second);
    ck_assert_int_eq(clock_view(m, b, DETRUN_FAMILY_MONO), mono + second);
    ck_assert_int_eq(clock_read(m, b, DETRUN_FAMILY_MONO), mono + second);
    clock_sleep(m, b, (uint64_t)second);
    clock_reach(m, a, DETRUN_FAMILY_WALL, epoch + 5 * second);
    ck_assert_int_eq(clock_view(m, b, DETRUN_FAMILY_WALL), epoch + 5 * second);
    ck_assert_int_eq(clock_view(m, b, DETRUN_FAMILY_MONO), mono + 5 * second);
}
END_TEST

START_TEST(no_edge_takes_a_job_clock_back_or_beyond)
{
    struct detrun_memory *m = job_clock_new();
    struct detrun_task *a = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *b = lineage_prepare(m, a, LINEAGE_PROCESS);
    m->params.step_ns[DETRUN_FAMILY_MONO] = 1000;
    clock_sleep(m, b, (uint64_t)second);
    clock_keep(b, 500);
    int64_t last = clock_read(m, b, DETRUN_FAMILY_MONO);
    clock_raise(a, clock_hand_on(b));
    clock_raise_mono(m, a, (uint64_t)(100 * second));
    clock_join(a, b);
    clock_defer(a, b);
    clock_settle(a);
    ck_assert_int_eq(clock_view(m, a, DETRUN_FAMILY_MONO), last);
    clock_sleep(m, a, 7);
    ck_assert_int_eq(clock_view(m, a, DETRUN_FAMILY_MONO), last + 7);
}
END_TEST

JOB_MAIN("clock", no_two_reads_of_a_job_clock_are_equal,
         a_job_clock_is_moved_by_all_and_seen_by_all, sleeps_at_once_pass_once_on_a_job_clock,
         no_edge_takes_a_job_clock_back_or_beyond, every_task_has_a_guard, k_reads_are_k_steps,
         families_count_their_own_reads, a_sleep_moves_wall_and_monotonic_exactly,
         a_spin_of_ten_seconds_ends_soon_after_the_guard, a_wait_rearms_the_spin_guard,
         a_clock_that_steps_needs_no_guard, a_deadline_is_reached_and_never_passed_backwards,
         a_waker_raises_and_never_lowers, a_child_starts_where_its_creator_stands,
         nothing_is_earlier_than_what_a_joined_task_last_saw,
         a_child_reaped_without_blocking_shows_at_the_next_wait,
         reads_of_a_signal_handler_are_not_lost)
