/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "job.h"
#include "pidmap.h"

static const struct detrun_task *gone;

bool pidmap_is_gone(const struct detrun_task *t)
{
    return t == gone;
}

/* A record by hand: what the map looks at is its place, its lineage and its virtual id. */
static struct detrun_task *task_at(struct detrun_memory *m, uint32_t index, uint64_t lineage)
{
    struct detrun_task *t = &m->tasks[index];
    t->lineage = lineage;
    return t;
}

START_TEST(ids_are_virtual_and_found_again)
{
    struct detrun_memory *m = job_new();
    for (uint32_t i = 1; i <= 10000; i++) {
        struct detrun_task *t = task_at(m, i, i * UINT64_C(0x9e3779b97f4a7c15));
        t->vtid = pidmap_insert(m, t);
        ck_assert(lineage_is_virtual((int32_t)t->vtid));
    }
    for (uint32_t i = 1; i <= 10000; i++)
        ck_assert_ptr_eq(pidmap_find(m, m->tasks[i].vtid), &m->tasks[i]);
}
END_TEST

START_TEST(equal_keys_and_lineages_give_equal_ids)
{
    struct detrun_memory *a = job_new();
    struct detrun_memory *b = job_new();
    struct detrun_memory *other = job_new();
    other->params.key[0] ^= 1;
    int differ = 0;
    for (uint32_t i = 1; i <= 100; i++) {
        uint32_t vpid = pidmap_insert(a, task_at(a, i, i));
        ck_assert_uint_eq(vpid, pidmap_insert(b, task_at(b, 200 - i, i)));
        differ += vpid != pidmap_insert(other, task_at(other, i, i));
    }
    ck_assert_int_gt(differ, 98);
}
END_TEST

START_TEST(a_taken_id_probes_on_and_is_counted)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *a = task_at(m, 1, 42);
    struct detrun_task *b = task_at(m, 2, 42);
    a->vtid = pidmap_insert(m, a);
    b->vtid = pidmap_insert(m, b);
    ck_assert_uint_ne(a->vtid, b->vtid);
    ck_assert_uint_ge(m->shared.gaps[DETRUN_GAP_PID_COLLISION], 1);
    ck_assert_ptr_eq(pidmap_find(m, a->vtid), a);
    ck_assert_ptr_eq(pidmap_find(m, b->vtid), b);
}
END_TEST

START_TEST(the_id_of_one_that_is_gone_is_free)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *a = task_at(m, 1, 42);
    struct detrun_task *b = task_at(m, 2, 42);
    a->vtid = pidmap_insert(m, a);
    gone = a;
    b->vtid = pidmap_insert(m, b);
    ck_assert_uint_eq(a->vtid, b->vtid);
    ck_assert_uint_eq(m->shared.gaps[DETRUN_GAP_PID_COLLISION], 0);
    ck_assert_ptr_eq(pidmap_find(m, b->vtid), b);
    pidmap_remove(m, a);
    ck_assert_ptr_eq(pidmap_find(m, b->vtid), b);
    gone = NULL;
}
END_TEST

START_TEST(a_removed_id_is_gone_and_free_again)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = task_at(m, 1, 42);
    t->vtid = pidmap_insert(m, t);
    pidmap_remove(m, t);
    ck_assert_ptr_null(pidmap_find(m, t->vtid));
    ck_assert_uint_eq(pidmap_insert(m, t), t->vtid);
}
END_TEST

START_TEST(what_was_never_given_is_not_found)
{
    struct detrun_memory *m = job_new();
    static const uint32_t strangers[] = {0, 1, DETRUN_VPID_FIRST, DETRUN_VPID_END - 1, UINT32_MAX};
    for (unsigned i = 0; i < 5; i++)
        ck_assert_ptr_null(pidmap_find(m, strangers[i]));
}
END_TEST

struct worker {
    struct detrun_memory *m;
    uint32_t first;
};

/* All workers use the same lineages: every insertion is a race for the same id. */
static void *insert_and_remove(void *argument)
{
    const struct worker *w = argument;
    for (int round = 0; round < 200; round++) {
        for (uint32_t i = 0; i < 50; i++) {
            struct detrun_task *t = task_at(w->m, w->first + i, 1 + i);
            t->vtid = pidmap_insert(w->m, t);
        }
        for (uint32_t i = 0; i < 50; i++) {
            struct detrun_task *t = &w->m->tasks[w->first + i];
            ck_assert_ptr_eq(pidmap_find(w->m, t->vtid), t);
            pidmap_remove(w->m, t);
        }
    }
    return NULL;
}

START_TEST(threads_that_race_for_ids_never_share_one)
{
    struct detrun_memory *m = job_new();
    pthread_t threads[4];
    struct worker workers[4];
    for (uint32_t i = 0; i < 4; i++) {
        workers[i] = (struct worker){.m = m, .first = 1 + i * 1000};
        pthread_create(&threads[i], NULL, insert_and_remove, &workers[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int bucket = 0; bucket < DETRUN_VPID_BUCKETS; bucket++)
        for (int slot = 0; slot < DETRUN_VPID_SLOTS; slot++)
            ck_assert_uint_eq(m->vpids[bucket][slot], 0);
}
END_TEST

JOB_MAIN("pidmap", ids_are_virtual_and_found_again, equal_keys_and_lineages_give_equal_ids,
         a_taken_id_probes_on_and_is_counted, the_id_of_one_that_is_gone_is_free,
         a_removed_id_is_gone_and_free_again, what_was_never_given_is_not_found,
         threads_that_race_for_ids_never_share_one)
