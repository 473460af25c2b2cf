/* SPDX-License-Identifier: MIT */
/* A suite of three tests, each of which prints what it was given. Arguments: their order. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "detrun.h"

static void print_uuid_of_kernel(void)
{
    char text[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/uuid", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof(text), file));
    fclose(file);
    printf(" %.36s", text);
}

static void look(const char *name)
{
    unsigned char bytes[8];
    char uuid[DETRUN_UUID_SIZE];
    struct timespec wall;
    struct timespec mono;
    ck_assert_int_eq(detrun_test_begin(name), 0);
    printf("%s %016" PRIx64 " ", name, detrun_current_seed());
    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(getrandom(bytes, sizeof(bytes), 0), sizeof(bytes));
        for (size_t i = 0; i < sizeof(bytes); i++)
            printf("%02x", bytes[i]);
        clock_gettime(CLOCK_REALTIME, &wall);
        nanosleep(&(struct timespec){0, 1000}, NULL);
        clock_gettime(CLOCK_MONOTONIC, &mono);
        printf(" %lld.%09ld %lld.%09ld", (long long)wall.tv_sec, wall.tv_nsec,
               (long long)mono.tv_sec, mono.tv_nsec);
    }
    ck_assert_int_eq(detrun_uuid(NULL, 0, uuid), 0);
    printf(" %s", uuid);
    print_uuid_of_kernel();
    ck_assert_int_eq(detrun_stage("bytes", bytes, sizeof(bytes)), 0);
    putchar('\n');
    fflush(stdout);
}

START_TEST(test_one)
{
    look("test_one");
}
END_TEST

START_TEST(test_two)
{
    look("test_two");
    free(malloc(100000));
}
END_TEST

START_TEST(test_three)
{
    look("test_three");
    sleep(1);
}
END_TEST

static void add(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    if (strcmp(name, "one") == 0)
        tcase_add_test(tcase, test_one);
    else if (strcmp(name, "two") == 0)
        tcase_add_test(tcase, test_two);
    else
        tcase_add_test(tcase, test_three);
    suite_add_tcase(suite, tcase);
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("suite");
    for (int i = 1; i < argc; i++)
        add(suite, argv[i]);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
