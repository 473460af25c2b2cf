/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

#define RACERS 4
#define ROUNDS 2000

START_TEST(every_part_starts_on_a_line_of_its_own)
{
    ck_assert_uint_eq(offsetof(struct detrun_memory, shared) % 4096, 0);
    ck_assert_uint_eq(offsetof(struct detrun_memory, used) % 64, 0);
    ck_assert_uint_eq(offsetof(struct detrun_memory, vpids) % 64, 0);
    ck_assert_uint_eq(offsetof(struct detrun_memory, tasks) % 64, 0);
    ck_assert_uint_eq(sizeof(struct detrun_task) % 64, 0);
    ck_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2);
}
END_TEST

/* Two builds that disagree about any of these must not share a job: whoever changes a number here
 * raises DETRUN_ABI_VERSION, once there has been a release. */
START_TEST(this_version_has_this_layout)
{
    ck_assert_uint_eq(DETRUN_ABI_VERSION, 1);
    ck_assert_uint_eq(sizeof(struct detrun_params), 5360);
    ck_assert_uint_eq(sizeof(struct detrun_task), 576);
    ck_assert_uint_eq(offsetof(struct detrun_task, base), 64);
    ck_assert_uint_eq(offsetof(struct detrun_task, position), 168);
    ck_assert_uint_eq(offsetof(struct detrun_task, answered), 256);
    ck_assert_uint_eq(offsetof(struct detrun_memory, tasks), 409600);
    ck_assert_uint_eq(sizeof(struct detrun_memory), 76693504);
    ck_assert_uint_eq(DETRUN_SOURCES, 19);
    ck_assert_uint_eq(DETRUN_GAPS, 35);
}
END_TEST

struct race {
    struct detrun_memory *m;
    struct detrun_task *root;
    _Atomic uint32_t published; /* index of a PREPARED record; 0: wait */
    _Atomic int won;
    _Atomic int lost;
    _Atomic int torn;
};

/* What the creator wrote before it published must be seen by who claims. */
static void claim_published(struct race *r, int32_t pid)
{
    uint32_t index;
    while ((index = atomic_load_explicit(&r->published, memory_order_acquire)) == 0)
        sched_yield();
    struct detrun_task *t = &r->m->tasks[index];
    if (!lineage_claim(r->m, t, pid, pid)) {
        atomic_fetch_add(&r->lost, 1);
        return;
    }
    if (t->vtid == 0 || t->lineage == 0 || t->parent == 0 || t->argument != ~(uint64_t)index)
        atomic_fetch_add(&r->torn, 1);
    atomic_fetch_add(&r->won, 1);
}

static void wait_for_racers(struct race *r)
{
    while (atomic_load(&r->won) + atomic_load(&r->lost) < RACERS)
        sched_yield();
}

static struct race *race_new(void)
{
    struct race *r =
        mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(r, MAP_FAILED);
    r->m = job_new();
    r->root = lineage_root(r->m, JOB_REAL_PID);
    return r;
}

static struct detrun_task *publish(struct race *r)
{
    struct detrun_task *t = lineage_prepare(r->m, r->root, LINEAGE_PROCESS);
    t->argument = ~(uint64_t)lineage_index(r->m, t);
    atomic_store_explicit(&r->published, lineage_index(r->m, t), memory_order_release);
    return t;
}

static pthread_barrier_t barrier;

static void *thread_racer(void *argument)
{
    struct race *r = argument;
    for (int round = 0; round < ROUNDS; round++) {
        claim_published(r, gettid());
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

START_TEST(of_threads_that_claim_one_record_one_wins)
{
    struct race *r = race_new();
    pthread_t threads[RACERS];
    pthread_barrier_init(&barrier, NULL, RACERS + 1);
    for (int i = 0; i < RACERS; i++)
        pthread_create(&threads[i], NULL, thread_racer, r);
    for (int round = 0; round < ROUNDS; round++) {
        struct detrun_task *t = publish(r);
        pthread_barrier_wait(&barrier);
        ck_assert_int_eq(r->won, 1);
        ck_assert_int_eq(r->lost, RACERS - 1);
        atomic_store(&r->published, 0);
        atomic_store(&r->won, 0);
        atomic_store(&r->lost, 0);
        lineage_end(t);
        lineage_free(r->m, t);
        pthread_barrier_wait(&barrier);
    }
    for (int i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(r->torn, 0);
    ck_assert_uint_eq(r->m->shared.tasks_in_use, 1);
}
END_TEST

START_TEST(of_processes_that_claim_one_record_one_wins)
{
    for (int round = 0; round < 100; round++) {
        struct race *r = race_new();
        for (int i = 0; i < RACERS; i++)
            if (fork() == 0) {
                claim_published(r, getpid());
                _exit(0);
            }
        struct detrun_task *t = publish(r);
        wait_for_racers(r);
        while (wait(NULL) > 0)
            ;
        ck_assert_int_eq(r->won, 1);
        ck_assert_int_eq(r->torn, 0);
        ck_assert_ptr_eq(lineage_by_real(r->m, t->real_pid), t);
        job_free(r->m);
        munmap(r, sizeof(*r));
    }
}
END_TEST

/* Each worker makes, claims, ends and frees children of a record of its own. */
static void *churn(void *argument)
{
    struct race *r = argument;
    struct detrun_task *me = lineage_prepare(r->m, r->root, LINEAGE_THREAD);
    lineage_claim(r->m, me, 50, gettid());
    for (int round = 0; round < ROUNDS; round++) {
        struct detrun_task *some[8];
        for (int i = 0; i < 8; i++) {
            some[i] = lineage_prepare(r->m, me, LINEAGE_PROCESS);
            ck_assert_ptr_nonnull(some[i]);
            ck_assert(lineage_claim(r->m, some[i], 1000 + i, 1000 + i));
            some[i]->answered[DETRUN_RANDOM][DETRUN_DOOR_SYMBOL] = 1;
        }
        for (int i = 0; i < 8; i++) {
            ck_assert_ptr_eq(lineage_by_vpid(r->m, (int32_t)some[i]->vpid), some[i]);
            ck_assert(lineage_end(some[i]));
            lineage_free(r->m, some[i]);
        }
    }
    lineage_free(r->m, me);
    return NULL;
}

START_TEST(threads_that_make_and_free_records_lose_none)
{
    struct race *r = race_new();
    pthread_t threads[RACERS];
    for (int i = 0; i < RACERS; i++)
        pthread_create(&threads[i], NULL, churn, r);
    for (int i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(r->m->shared.tasks_in_use, 1);
    ck_assert_uint_eq(r->m->shared.answered[DETRUN_RANDOM][DETRUN_DOOR_SYMBOL],
                      RACERS * ROUNDS * 8);
    uint64_t in_use = 0;
    for (int i = 0; i < DETRUN_USED_WORDS; i++)
        in_use += (uint64_t)__builtin_popcountll(r->m->used[i]);
    ck_assert_uint_eq(in_use, 2); /* the root, and index 0, which means none */
}
END_TEST

START_TEST(a_real_pid_that_was_reused_is_the_newer_task_s)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *old = lineage_prepare(m, root, LINEAGE_PROCESS);
    struct detrun_task *young = lineage_prepare(m, root, LINEAGE_PROCESS);
    lineage_claim(m, old, 200, 200);
    lineage_end(old);
    lineage_claim(m, young, 200, 200);
    lineage_free(m, old);
    ck_assert_ptr_eq(lineage_by_real(m, 200), young);
    lineage_free(m, young);
    ck_assert_ptr_null(lineage_by_real(m, 200));
}
END_TEST

START_TEST(a_slot_that_was_reused_has_another_nonce_and_no_traces)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *t = lineage_prepare(m, root, LINEAGE_PROCESS);
    uint32_t nonce = t->nonce;
    uint32_t vpid = t->vpid;
    t->position[DETRUN_STREAM_RANDOM] = 99;
    t->start_time = 99;
    lineage_free(m, t);
    ck_assert_ptr_null(lineage_by_vpid(m, (int32_t)vpid));
    struct detrun_task *again = lineage_prepare(m, root, LINEAGE_PROCESS);
    ck_assert_ptr_eq(again, t);
    ck_assert_uint_ne(again->nonce, nonce);
    ck_assert_uint_eq(again->position[DETRUN_STREAM_RANDOM], 0);
    ck_assert_uint_eq(again->start_time, 0);
}
END_TEST

START_TEST(freeing_twice_counts_once)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    t->answered[DETRUN_WALL][DETRUN_DOOR_VDSO] = 7;
    lineage_free(m, t);
    lineage_free(m, t);
    ck_assert_uint_eq(m->shared.answered[DETRUN_WALL][DETRUN_DOOR_VDSO], 7);
    ck_assert_uint_eq(m->shared.tasks_in_use, 0);
}
END_TEST

START_TEST(a_full_table_says_so_and_recovers)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *t = NULL;
    for (int i = 2; i < DETRUN_MAX_TASKS; i++) {
        t = lineage_prepare(m, root, LINEAGE_PROCESS);
        ck_assert_ptr_nonnull(t);
    }
    ck_assert_uint_eq(m->shared.tasks_in_use, DETRUN_MAX_TASKS - 1);
    ck_assert_ptr_null(lineage_prepare(m, root, LINEAGE_PROCESS));
    ck_assert_uint_eq(m->shared.gaps[DETRUN_GAP_TABLE_FULL], 1);
    ck_assert_uint_eq(root->children, DETRUN_MAX_TASKS - 1);
    lineage_free(m, t);
    t = lineage_prepare(m, root, LINEAGE_PROCESS);
    ck_assert_ptr_nonnull(t);
    ck_assert_ptr_eq(lineage_by_vpid(m, (int32_t)t->vpid), t);
}
END_TEST

JOB_MAIN("memory", this_version_has_this_layout, every_part_starts_on_a_line_of_its_own,
         of_threads_that_claim_one_record_one_wins, of_processes_that_claim_one_record_one_wins,
         threads_that_make_and_free_records_lose_none,
         a_real_pid_that_was_reused_is_the_newer_task_s,
         a_slot_that_was_reused_has_another_nonce_and_no_traces, freeing_twice_counts_once,
         a_full_table_says_so_and_recovers)
