/* SPDX-License-Identifier: MIT */
#include "inode.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "job.h"

#define FILES  20000
#define FOLDER (INODE_FIRST + 12345)

static uint32_t enter(struct detrun_memory *m, uint64_t ino, const char *name)
{
    return inode_enter(m, (struct inode){1, ino}, FOLDER, name, strlen(name));
}

static uint32_t enter_nth(struct detrun_memory *m, uint64_t ino, unsigned n)
{
    char name[16];
    snprintf(name, sizeof(name), "file%u", n);
    return enter(m, ino, name);
}

static uint64_t full(const struct detrun_memory *m)
{
    return m->shared.gaps[DETRUN_GAP_INODES_FULL];
}

START_TEST(a_file_keeps_its_first_number)
{
    struct detrun_memory *m = job_new();
    ck_assert_uint_eq(inode_find(m, (struct inode){1, 7}, true), 0);
    uint32_t number = enter(m, 7, "a");
    ck_assert_uint_ge(number, INODE_FIRST);
    ck_assert_uint_lt(number, INODE_END);
    ck_assert_uint_eq(enter(m, 7, "another"), number);
    ck_assert_uint_eq(inode_find(m, (struct inode){1, 7}, true), number);
    ck_assert_uint_eq(inode_find(m, (struct inode){2, 7}, true), 0);
    job_free(m);
}
END_TEST

START_TEST(a_number_follows_from_the_name_alone)
{
    struct detrun_memory *m = job_new();
    struct detrun_memory *other = job_new();
    uint32_t number = enter(m, 7, "a");
    enter(other, 8, "b");
    ck_assert_uint_eq(enter(other, 9000000000, "a"), number);
    ck_assert_uint_ne(enter(other, 10, "c"), number);
    ck_assert_uint_ne(inode_enter(other, (struct inode){1, 11}, INODE_ROOT, "a", 1), number);
    job_free(m);
    job_free(other);
}
END_TEST

START_TEST(another_file_of_that_name_has_another_number)
{
    struct detrun_memory *m = job_new();
    uint32_t first = enter(m, 7, "a");
    uint32_t second = enter(m, 8, "a");
    uint32_t third = inode_enter(m, (struct inode){2, 7}, FOLDER, "a", 1);
    ck_assert(first != second && first != third && second != third);
    job_free(m);
}
END_TEST

static int compare(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static void check_distinct(uint32_t *numbers, size_t n)
{
    qsort(numbers, n, sizeof(*numbers), compare);
    for (size_t i = 1; i < n; i++)
        ck_assert_uint_ne(numbers[i - 1], numbers[i]);
}

/* Groups of inodes as ext4 makes them, of which the first are used most. */
START_TEST(half_a_million_files_have_numbers_of_their_own)
{
    static uint32_t numbers[500000];
    struct detrun_memory *m = job_new();
    size_t n = 0;
    for (uint64_t group = 0; n < 500000; group++)
        for (uint64_t i = 1; i < 32 + group % 16 * 32 && n < 500000; i++) {
            numbers[n] = inode_enter(m, (struct inode){3, group * 8192 + i},
                                     INODE_FIRST + (uint32_t)(n / 11), &n, sizeof(n));
            ck_assert_uint_ne(numbers[n], 0);
            ck_assert_uint_eq(inode_find(m, (struct inode){3, group * 8192 + i}, true), numbers[n]);
            n++;
        }
    check_distinct(numbers, n);
    ck_assert_uint_eq(full(m), 0);
    job_free(m);
}
END_TEST

START_TEST(a_folder_may_be_large)
{
    static uint32_t numbers[200000];
    struct detrun_memory *m = job_new();
    for (unsigned i = 0; i < 200000; i++)
        numbers[i] = enter_nth(m, 100 + i, i);
    check_distinct(numbers, 200000);
    ck_assert_uint_ge(numbers[0], INODE_FIRST);
    job_free(m);
}
END_TEST

static void *enter_all(void *memory)
{
    for (unsigned i = 0; i < FILES; i++)
        ck_assert_uint_ge(enter_nth(memory, 1000 + i, i), INODE_FIRST);
    return NULL;
}

START_TEST(two_that_come_at_once_have_the_same_numbers)
{
    struct detrun_memory *m = job_new();
    pthread_t other;
    size_t words = 0;
    ck_assert_int_eq(pthread_create(&other, NULL, enter_all, m), 0);
    enter_all(m);
    pthread_join(other, NULL);
    for (size_t i = 0; i < DETRUN_INODE_WORDS; i++)
        words += m->inodes[i] != 0;
    ck_assert_uint_eq(words, FILES);
    job_free(m);
}
END_TEST

/* What a file was told once it is told again. */
static uint64_t mounted(struct detrun_memory *m, uint64_t dev, const char *path)
{
    _Atomic uint64_t *device = inode_device(m, dev);
    inode_device_mounted(m, device, path, strlen(path));
    return inode_device_number(*device);
}

START_TEST(a_device_s_number_follows_from_where_it_is)
{
    struct detrun_memory *m = job_new();
    struct detrun_memory *other = job_new();
    m->params.start_dev = 0x801;
    other->params.start_dev = 0x25;
    uint64_t start = mounted(m, 0x801, "/");
    uint64_t shm = mounted(m, 0x25, "/dev/shm");
    ck_assert(start != shm && makedev(0, minor(start)) == start && makedev(0, minor(shm)) == shm);
    ck_assert_uint_eq(mounted(other, 0x25, "/dev/shm"), start);
    ck_assert_uint_eq(mounted(other, 0x30, "/dev/shm"), shm);
    ck_assert_uint_ne(mounted(other, 0x31, "/dev/shm"), shm);
    ck_assert_uint_eq(mounted(other, 0x32, ""), 0x32);
    job_free(m);
    job_free(other);
}
END_TEST

START_TEST(the_kernel_s_number_of_a_removed_file_may_be_another_s)
{
    struct detrun_memory *m = job_new();
    uint32_t first = enter(m, 7, "a");
    inode_gone(m, (struct inode){1, 7});
    inode_gone(m, (struct inode){1, 8});
    ck_assert_uint_eq(inode_find(m, (struct inode){1, 7}, false), first);
    ck_assert_uint_eq(inode_find(m, (struct inode){1, 7}, true), 0);
    uint32_t second = enter(m, 7, "a");
    ck_assert_uint_ne(second, first);
    ck_assert_uint_eq(inode_find(m, (struct inode){1, 7}, true), second);
    ck_assert_uint_eq(enter(m, 7, "b"), second);
    job_free(m);
}
END_TEST

/* On some file systems it gets the kernel's number of the one before, on others a new one. */
START_TEST(a_name_may_be_removed_and_made_again_and_again)
{
    static uint32_t numbers[FILES];
    struct detrun_memory *m = job_new();
    struct detrun_memory *other = job_new();
    for (unsigned i = 0; i < FILES; i++) {
        numbers[i] = enter(m, 7, "a");
        ck_assert_uint_eq(enter(other, 7 + i, "a"), numbers[i]);
        inode_gone(m, (struct inode){1, 7});
        inode_gone(other, (struct inode){1, 7 + i});
    }
    ck_assert_uint_eq(full(m) + full(other), 0);
    check_distinct(numbers, FILES);
    job_free(m);
    job_free(other);
}
END_TEST

START_TEST(a_full_table_is_counted_and_stays_as_it_is)
{
    static uint32_t numbers[FILES];
    struct detrun_memory *m = job_new();
    for (unsigned i = 0; i < FILES; i++)
        numbers[i] = enter_nth(m, i * UINT64_C(64), i);
    ck_assert_uint_gt(full(m), 0);
    for (unsigned i = 0; i < FILES; i++)
        ck_assert_uint_eq(inode_enter(m, (struct inode){1, i * UINT64_C(64)}, 1, "b", 1),
                          numbers[i]);
    job_free(m);
}
END_TEST

START_TEST(a_device_is_found_again)
{
    struct detrun_memory *m = job_new();
    _Atomic uint64_t *first = inode_device(m, 0x801);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_eq(inode_device(m, 0x801), first);
    for (uint64_t dev = 1; dev < DETRUN_DEVICES; dev++)
        ck_assert_ptr_nonnull(inode_device(m, dev));
    ck_assert_ptr_null(inode_device(m, 0x802));
    ck_assert_ptr_eq(inode_device(m, 0x801), first);
    job_free(m);
}
END_TEST

JOB_MAIN("inode", a_file_keeps_its_first_number, a_number_follows_from_the_name_alone,
         another_file_of_that_name_has_another_number,
         half_a_million_files_have_numbers_of_their_own, a_folder_may_be_large,
         two_that_come_at_once_have_the_same_numbers, a_full_table_is_counted_and_stays_as_it_is,
         a_device_is_found_again, a_device_s_number_follows_from_where_it_is,
         the_kernel_s_number_of_a_removed_file_may_be_another_s,
         a_name_may_be_removed_and_made_again_and_again)
