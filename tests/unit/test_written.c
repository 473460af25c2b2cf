/* SPDX-License-Identifier: MIT */
#include "written.h"

#include <pthread.h>

#include "job.h"

#define FILES 20000

START_TEST(a_file_is_found_again)
{
    struct detrun_memory *m = job_new();
    ck_assert_int_eq(written_at(m, 1, 2), 0);
    for (int64_t i = 1; i <= FILES; i++)
        written_raise(written_entry(m, (uint64_t)i % 3, (uint64_t)i), i);
    for (int64_t i = 1; i <= FILES; i++)
        ck_assert_int_eq(written_at(m, (uint64_t)i % 3, (uint64_t)i), i);
    ck_assert_int_eq(written_at(m, 7, 1), 0);
    job_free(m);
}
END_TEST

START_TEST(the_latest_write_counts)
{
    struct detrun_memory *m = job_new();
    struct detrun_written *file = written_entry(m, 1, 2);
    written_raise(file, 5);
    written_raise(file, 3);
    ck_assert_int_eq(written_at(m, 1, 2), 5);
    ck_assert_ptr_eq(written_entry(m, 1, 2), file);
    job_free(m);
}
END_TEST

START_TEST(a_removed_file_was_not_written)
{
    struct detrun_memory *m = job_new();
    written_raise(written_entry(m, 1, 2), 5);
    written_forget(m, 1, 2);
    written_forget(m, 1, 3);
    ck_assert_int_eq(written_at(m, 1, 2), 0);
    written_raise(written_entry(m, 1, 2), 3);
    ck_assert_int_eq(written_at(m, 1, 2), 3);
    job_free(m);
}
END_TEST

static void *enter_all(void *memory)
{
    struct detrun_memory *m = memory;
    for (uint64_t i = 1; i <= FILES; i++)
        written_raise(written_entry(m, 1, i), (int64_t)i);
    return NULL;
}

START_TEST(two_that_come_at_once_have_one_entry)
{
    struct detrun_memory *m = job_new();
    pthread_t other;
    size_t entries = 0;
    ck_assert_int_eq(pthread_create(&other, NULL, enter_all, m), 0);
    enter_all(m);
    pthread_join(other, NULL);
    for (size_t i = 0; i < DETRUN_WRITTEN_FILES; i++)
        entries += m->written[i].key != 0;
    ck_assert_uint_eq(entries, FILES);
    job_free(m);
}
END_TEST

START_TEST(a_full_table_is_counted)
{
    struct detrun_memory *m = job_new();
    for (size_t i = 0; i < DETRUN_WRITTEN_FILES; i++)
        m->written[i].key = 2;
    ck_assert_ptr_null(written_entry(m, 1, 2));
    ck_assert_int_eq(written_at(m, 1, 2), 0);
    ck_assert_uint_eq(m->shared.gaps[DETRUN_GAP_FILES_WRITTEN], 1);
    job_free(m);
}
END_TEST

JOB_MAIN("written", a_file_is_found_again, the_latest_write_counts, a_removed_file_was_not_written,
         two_that_come_at_once_have_one_entry, a_full_table_is_counted)
