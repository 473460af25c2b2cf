/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "clock.h"
#include "job.h"
#include "stream.h"

START_TEST(the_root_runs_under_its_real_pid)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    ck_assert_uint_ne(lineage_index(m, t), 0);
    ck_assert_uint_eq(lineage_state(t), DETRUN_RUNNING);
    ck_assert_ptr_eq(lineage_by_real(m, JOB_REAL_PID), t);
    ck_assert_ptr_eq(lineage_by_vpid(m, (int32_t)t->vpid), t);
    ck_assert_ptr_eq(lineage_process(m, t), t);
    ck_assert(!lineage_orphaned(m, t));
}
END_TEST

START_TEST(a_place_in_the_tree_does_not_depend_on_order)
{
    struct detrun_memory *a = job_new();
    struct detrun_memory *b = job_new();
    struct detrun_task *first[2];
    struct detrun_task *second[2];
    struct detrun_task *root[2] = {lineage_root(a, 100), lineage_root(b, 2000)};
    lineage_outside(b, LINEAGE_LAUNCHER, 5);
    first[0] = lineage_prepare(a, root[0], LINEAGE_PROCESS);
    second[0] = lineage_prepare(a, root[0], LINEAGE_THREAD);
    struct detrun_task *deep_a = lineage_prepare(a, first[0], LINEAGE_PROCESS);
    first[1] = lineage_prepare(b, root[1], LINEAGE_PROCESS);
    struct detrun_task *deep_b = lineage_prepare(b, first[1], LINEAGE_PROCESS);
    second[1] = lineage_prepare(b, root[1], LINEAGE_THREAD);
    ck_assert_uint_eq(first[0]->lineage, first[1]->lineage);
    ck_assert_uint_eq(second[0]->lineage, second[1]->lineage);
    ck_assert_uint_eq(deep_a->lineage, deep_b->lineage);
    ck_assert_uint_eq(first[0]->vpid, first[1]->vpid);
    ck_assert_uint_eq(deep_a->vpid, deep_b->vpid);
}
END_TEST

static int compare_words(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

START_TEST(no_two_places_have_one_lineage)
{
    static uint64_t seen[4096];
    struct detrun_memory *m = job_new();
    size_t n = 0;
    seen[n++] = lineage_root(m, JOB_REAL_PID)->lineage;
    for (int which = LINEAGE_LAUNCHER; which <= LINEAGE_SESSION; which++)
        seen[n++] = lineage_outside(m, (enum lineage_outside)which, which)->lineage;
    for (uint32_t index = 1; n + 2 <= 4096; index++) {
        seen[n++] = lineage_prepare(m, &m->tasks[index], LINEAGE_PROCESS)->lineage;
        seen[n++] = lineage_prepare(m, &m->tasks[index], LINEAGE_THREAD)->lineage;
    }
    qsort(seen, n, sizeof(seen[0]), compare_words);
    for (size_t i = 1; i < n; i++)
        ck_assert_uint_ne(seen[i - 1], seen[i]);
}
END_TEST

START_TEST(a_thread_shares_its_process_id)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, JOB_REAL_PID);
    struct detrun_task *thread = lineage_prepare(m, root, LINEAGE_THREAD);
    struct detrun_task *of_thread = lineage_prepare(m, thread, LINEAGE_THREAD);
    struct detrun_task *child = lineage_prepare(m, thread, LINEAGE_PROCESS);
    ck_assert_uint_eq(thread->vpid, root->vpid);
    ck_assert_uint_ne(thread->vtid, root->vtid);
    ck_assert_ptr_eq(lineage_process(m, of_thread), root);
    ck_assert_uint_eq(child->parent_vpid, root->vpid);
    ck_assert_uint_eq(child->vpid, child->vtid);
    ck_assert_ptr_eq(lineage_process(m, child), child);
}
END_TEST

START_TEST(a_record_is_claimed_once)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *child = lineage_prepare(m, lineage_root(m, 100), LINEAGE_PROCESS);
    ck_assert_uint_eq(lineage_state(child), DETRUN_PREPARED);
    ck_assert(lineage_claim(m, child, 200, 200));
    ck_assert(!lineage_claim(m, child, 201, 201));
    ck_assert_ptr_eq(lineage_by_real(m, 200), child);
    ck_assert_ptr_null(lineage_by_real(m, 201));
}
END_TEST

START_TEST(a_child_killed_in_its_claim_is_bound_by_its_creator)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *child = lineage_prepare(m, root, LINEAGE_PROCESS);
    atomic_store(&child->state, DETRUN_RUNNING);
    lineage_confirm(m, child, 200);
    ck_assert_ptr_eq(lineage_by_real(m, 200), child);
    lineage_confirm(m, child, 300);
    ck_assert_ptr_null(lineage_by_real(m, 300));
    child = lineage_prepare(m, root, LINEAGE_PROCESS);
    atomic_store(&child->state, DETRUN_RUNNING);
    atomic_store(&child->real_pid, 500);
    atomic_store(&child->real_tid, 500);
    lineage_confirm(m, child, 500);
    ck_assert_ptr_eq(lineage_by_real(m, 500), child);
    lineage_end(child);
    atomic_store(detrun_index_of(m, 500), 0);
    lineage_confirm(m, child, 500);
    ck_assert_ptr_null(lineage_by_real(m, 500));
    child = lineage_prepare(m, root, LINEAGE_PROCESS);
    lineage_confirm(m, child, 400);
    ck_assert_uint_eq(lineage_state(child), DETRUN_RUNNING);
    ck_assert_ptr_eq(lineage_by_real(m, 400), child);
}
END_TEST

START_TEST(two_confirm_one_child_at_once)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *child = lineage_prepare(m, lineage_root(m, 100), LINEAGE_PROCESS);
    /* The other has come as far as this: */
    atomic_store(&child->real_pid, 200);
    atomic_store(&child->real_tid, 200);
    lineage_confirm(m, child, 200);
    ck_assert_ptr_eq(lineage_by_real(m, 200), child);
}
END_TEST

START_TEST(a_number_keeps_its_virtual_id_until_it_is_used_again)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *child = lineage_prepare(m, root, LINEAGE_PROCESS);
    uint32_t vpid = child->vpid;
    lineage_confirm(m, child, 200);
    ck_assert_uint_eq(lineage_virtual(m, 200), vpid);
    lineage_free(m, child);
    ck_assert_ptr_null(lineage_by_real(m, 200));
    ck_assert_uint_eq(lineage_virtual(m, 200), vpid);
    child = lineage_prepare(m, root, LINEAGE_PROCESS);
    lineage_confirm(m, child, 200);
    ck_assert_uint_ne(child->vpid, vpid);
    ck_assert_uint_eq(lineage_virtual(m, 200), child->vpid);
    static const int32_t strangers[] = {0, -1, 300, DETRUN_REAL_PID_LIMIT, INT32_MAX};
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
        ck_assert_uint_eq(lineage_virtual(m, strangers[i]), 0);
}
END_TEST

START_TEST(a_failed_creation_gives_its_number_back)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *child = lineage_prepare(m, root, LINEAGE_PROCESS);
    uint64_t lineage = child->lineage;
    uint32_t vpid = child->vpid;
    lineage_abandon(m, root, child);
    ck_assert_uint_eq(root->children, 0);
    child = lineage_prepare(m, root, LINEAGE_PROCESS);
    ck_assert_uint_eq(child->lineage, lineage);
    ck_assert_uint_eq(child->vpid, vpid);
}
END_TEST

START_TEST(a_task_ends_once)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, 100);
    ck_assert(lineage_end(t));
    ck_assert(!lineage_end(t));
    ck_assert_ptr_eq(lineage_by_vpid(m, (int32_t)t->vpid), t);
    lineage_free(m, t);
    ck_assert(!lineage_end(t));
}
END_TEST

START_TEST(an_orphan_is_told_from_a_child_whose_parent_s_slot_was_reused)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *parent = lineage_prepare(m, root, LINEAGE_PROCESS);
    struct detrun_task *child = lineage_prepare(m, parent, LINEAGE_PROCESS);
    ck_assert(!lineage_orphaned(m, child));
    lineage_free(m, parent);
    ck_assert(lineage_orphaned(m, child));
    struct detrun_task *next = lineage_prepare(m, root, LINEAGE_PROCESS);
    ck_assert_ptr_eq(next, parent);
    ck_assert(lineage_orphaned(m, child));
}
END_TEST

static uint32_t asked_often(struct detrun_memory *m, struct detrun_task *process)
{
    uint32_t parent = 0;
    for (unsigned i = 0; i <= LINEAGE_PARENT_ASKED; i++)
        parent = lineage_parent(m, process, 0);
    return parent;
}

START_TEST(a_parent_is_a_process_and_not_the_thread_that_forked)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *thread = lineage_prepare(m, root, LINEAGE_THREAD);
    lineage_claim(m, thread, 100, 101);
    struct detrun_task *child = lineage_prepare(m, thread, LINEAGE_PROCESS);
    lineage_free(m, thread);
    ck_assert_uint_eq(asked_often(m, child), root->vpid);
}
END_TEST

/* As a daemon's parent that called setsid. */
START_TEST(a_parent_that_was_waited_for_is_none_though_its_group_lives)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *parent = lineage_prepare(m, root, LINEAGE_PROCESS);
    lineage_claim(m, parent, 101, 101);
    struct detrun_task *child = lineage_prepare(m, parent, LINEAGE_PROCESS);
    ck_assert_uint_eq(asked_often(m, child), parent->vpid);
    lineage_end(parent);
    ck_assert_uint_eq(lineage_parent(m, child, 0), 1);
}
END_TEST

START_TEST(the_first_of_a_pid_namespace_is_1_in_it)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct detrun_task *first = lineage_prepare(m, root, LINEAGE_PROCESS);
    ck_assert_uint_eq(lineage_pid(m, first), first->vpid);
    first->space = lineage_index(m, first);
    atomic_store(&first->inner_tid, 1);
    struct detrun_task *thread = lineage_prepare(m, first, LINEAGE_THREAD);
    struct detrun_task *child = lineage_prepare(m, thread, LINEAGE_PROCESS);
    ck_assert_uint_eq(lineage_pid(m, first), 1);
    ck_assert_uint_eq(lineage_tid(m, first), 1);
    ck_assert_uint_eq(lineage_pid(m, thread), 1);
    ck_assert_uint_eq(lineage_tid(m, thread), thread->vtid);
    ck_assert_uint_eq(lineage_pid(m, child), child->vpid);
    ck_assert_uint_eq(lineage_parent(m, child, first->space), 1);
    ck_assert_uint_eq(lineage_parent(m, first, first->space), 0);
    ck_assert_uint_eq(lineage_parent(m, first, 0), root->vpid);
    ck_assert_uint_eq(lineage_parent(m, child, 0), first->vpid);
}
END_TEST

START_TEST(an_image_that_failed_to_start_leaves_nothing)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, 100);
    lineage_next_image(t);
    ck_assert_uint_eq(t->generation, 1);
    lineage_keep_image(t);
    ck_assert_uint_eq(t->generation, 0);
}
END_TEST

/** What a test sees of a job: random bytes, clocks, its first child's. */
struct seen {
    uint8_t bytes[40];
    int64_t times[DETRUN_FAMILIES];
    uint32_t child_vpid;
    uint64_t child_lineage;
    uint8_t child_bytes[16];
    int64_t child_time;
};

static struct seen begin_and_look(struct detrun_memory *m, struct detrun_task *t, uint8_t first)
{
    struct seen seen = {0};
    struct stream_cache cache = {0};
    const uint8_t key[32] = {first, 2, 3};
    stream_fill(m, t, DETRUN_STREAM_RANDOM, &cache, seen.bytes, 8);
    lineage_begin(m, t, key);
    stream_fill(m, t, DETRUN_STREAM_RANDOM, &cache, seen.bytes, sizeof(seen.bytes));
    for (int family = 0; family < DETRUN_FAMILIES; family++)
        seen.times[family] = clock_read(m, t, (enum detrun_family)family);
    struct detrun_task *child = lineage_prepare(m, t, LINEAGE_PROCESS);
    seen.child_vpid = child->vpid;
    seen.child_lineage = child->lineage;
    stream_fill(m, child, DETRUN_STREAM_RANDOM, NULL, seen.child_bytes, sizeof(seen.child_bytes));
    seen.child_time = clock_read(m, child, DETRUN_FAMILY_WALL);
    lineage_free(m, child);
    return seen;
}

/* Who measures a test from before it began finds no negative duration. */
START_TEST(a_test_begins_later_than_what_came_before)
{
    const uint8_t low[32] = {7};
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    clock_sleep(m, root, UINT64_C(1700) * 1000000000);
    int64_t before = clock_read(m, root, DETRUN_FAMILY_MONO);
    lineage_begin(m, root, low);
    int64_t after = clock_read(m, root, DETRUN_FAMILY_MONO);
    ck_assert_int_gt(after, before);
    ck_assert_int_lt(after - before, INT64_C(4000) * 1000000000);
}
END_TEST

/* What a test slept passes for who waits for it, what its clocks show does not. */
START_TEST(a_harness_keeps_its_own_clock)
{
    const uint8_t one[32] = {7};
    struct detrun_memory *m = job_new();
    struct detrun_task *harness = lineage_root(m, 100);
    int64_t mono = clock_view(m, harness, DETRUN_FAMILY_MONO);
    int64_t wall = clock_view(m, harness, DETRUN_FAMILY_WALL);
    struct detrun_task *child = lineage_prepare(m, harness, LINEAGE_PROCESS);
    lineage_begin(m, child, one);
    clock_sleep(m, child, 5000000000);
    clock_join(harness, child);
    clock_defer(harness, child);
    clock_settle(harness);
    ck_assert_int_eq(clock_view(m, harness, DETRUN_FAMILY_MONO), mono + 5000000000);
    ck_assert_int_eq(clock_view(m, harness, DETRUN_FAMILY_WALL), wall + 5000000000);
    struct detrun_task *own = lineage_prepare(m, child, LINEAGE_PROCESS);
    clock_sleep(m, own, 2000000000);
    int64_t seen = clock_read(m, own, DETRUN_FAMILY_WALL);
    clock_join(child, own);
    ck_assert_int_ge(clock_view(m, child, DETRUN_FAMILY_WALL), seen);
}
END_TEST

START_TEST(a_test_sees_the_same_wherever_it_begins)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    struct seen first = begin_and_look(m, root, 1);
    ck_assert_int_eq(first.times[DETRUN_FAMILY_WALL], m->params.epoch_ns + (int64_t)JOB_STEP_NS);
    struct detrun_task *child = lineage_prepare(m, root, LINEAGE_PROCESS);
    clock_sleep(m, child, 5000000000);
    clock_read(m, child, DETRUN_FAMILY_WALL);
    lineage_next_image(child);
    struct seen second = begin_and_look(m, child, 1);
    ck_assert_mem_eq(&first, &second, sizeof(first));
    clock_sleep(m, child, 7000000001);
    struct seen third = begin_and_look(m, child, 2);
    ck_assert_mem_ne(&first.bytes, &third.bytes, sizeof(first.bytes));
    ck_assert_mem_ne(&first.child_bytes, &third.child_bytes, sizeof(first.child_bytes));
    ck_assert_uint_ne(first.child_vpid, third.child_vpid);
    struct seen fourth = begin_and_look(m, child, 1);
    ck_assert_mem_eq(&first, &fourth, sizeof(first));
}
END_TEST

START_TEST(a_place_has_a_name)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, 100);
    ck_assert_str_eq(t->place, "1");
    lineage_prepare(m, t, LINEAGE_THREAD);
    t = lineage_prepare(m, t, LINEAGE_PROCESS);
    ck_assert_str_eq(t->place, "1.2");
    t = lineage_prepare(m, t, LINEAGE_PROCESS);
    ck_assert_str_eq(t->place, "1.2.1");
    for (int depth = 0; depth < 100; depth++) {
        struct detrun_task *child = lineage_prepare(m, t, LINEAGE_PROCESS);
        ck_assert_uint_lt(strnlen(child->place, DETRUN_PLACE_SIZE), DETRUN_PLACE_SIZE);
        ck_assert_str_ne(child->place, t->place);
        t = child;
    }
}
END_TEST

START_TEST(what_was_answered_adds_up_in_any_order)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, 100);
    uint64_t sums[2][2] = {{0}};
    uint64_t none[2] = {0};
    uint8_t bytes[3];
    lineage_inputs(root, none);
    ck_assert_uint_eq(none[0] | none[1], 0);
    struct detrun_task *child = lineage_prepare(m, root, LINEAGE_PROCESS);
    stream_fill(m, root, DETRUN_STREAM_RANDOM, NULL, bytes, sizeof(bytes));
    child->answered[DETRUN_WALL][DETRUN_DOOR_VDSO] = 1;
    lineage_inputs(root, sums[0]);
    lineage_inputs(child, sums[0]);
    lineage_inputs(child, sums[1]);
    lineage_inputs(root, sums[1]);
    ck_assert_mem_eq(sums[0], sums[1], sizeof(sums[0]));
    lineage_free(m, child);
    lineage_free(m, root);
    ck_assert_uint_eq(atomic_load(&m->shared.inputs[0]), sums[0][0]);
    ck_assert_uint_eq(atomic_load(&m->shared.inputs[1]), sums[0][1]);
}
END_TEST

START_TEST(strange_ids_find_nothing)
{
    struct detrun_memory *m = job_new();
    lineage_root(m, 100);
    static const int32_t strangers[] = {INT32_MIN, -1, 0, 1, DETRUN_REAL_PID_LIMIT, INT32_MAX};
    for (unsigned i = 0; i < 6; i++) {
        ck_assert_ptr_null(lineage_by_real(m, strangers[i]));
        ck_assert_ptr_null(lineage_by_vpid(m, strangers[i]));
    }
}
END_TEST

JOB_MAIN("lineage", the_root_runs_under_its_real_pid, a_place_in_the_tree_does_not_depend_on_order,
         no_two_places_have_one_lineage, a_thread_shares_its_process_id, a_record_is_claimed_once,
         a_child_killed_in_its_claim_is_bound_by_its_creator, two_confirm_one_child_at_once,
         a_number_keeps_its_virtual_id_until_it_is_used_again,
         a_failed_creation_gives_its_number_back, a_task_ends_once,
         an_orphan_is_told_from_a_child_whose_parent_s_slot_was_reused,
         a_parent_is_a_process_and_not_the_thread_that_forked,
         the_first_of_a_pid_namespace_is_1_in_it,
         a_parent_that_was_waited_for_is_none_though_its_group_lives,
         an_image_that_failed_to_start_leaves_nothing, a_test_sees_the_same_wherever_it_begins,
         a_test_begins_later_than_what_came_before, a_harness_keeps_its_own_clock,
         a_place_has_a_name, what_was_answered_adds_up_in_any_order, strange_ids_find_nothing)
