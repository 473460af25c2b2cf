/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "detrun.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const char *const ours[] = {"E2E_DETERMINISTIC",
                                   "E2E_SEED",
                                   "E2E_TIME_STEP_MS",
                                   "DETRUN_SEED_ENCODING",
                                   "COLORTERM",
                                   "FTUI_TEST_PROFILE",
                                   "LANG",
                                   "LC_ALL",
                                   "NO_COLOR",
                                   "TERM",
                                   "TMUX",
                                   "TZ",
                                   "ZELLIJ"};

static void clean(void)
{
    for (size_t i = 0; i < LENGTH(ours); i++)
        unsetenv(ours[i]);
}

/* The table of the contract, section 2. */
static const struct {
    const char *job_seed;
    int encoding;
    const char *test_name;
    uint64_t test_seed;
} seeds[] = {
    {"0xDEADBEEF12345678", DETRUN_SEED_BE8, "test_replication_invariant", 0xfe235aa3e4ce1ddb},
    {"16045690981402826360", DETRUN_SEED_BE8, "a", 0x731d761d783a3e4c},
    {"0xDEADBEEF12345678", DETRUN_SEED_BE8, "", 0xc356cb1db8a50975},
    {"0xdeadbeef12345678", DETRUN_SEED_BE8, "тест", 0xf27c583285d5ceb7},
    {"0", DETRUN_SEED_BE8, "test_replication_invariant", 0x7f5bf3988182e1a6},
    {"42", DETRUN_SEED_BE8, "test_replication_invariant", 0x51670a6abbeb5232},
    {"314159", DETRUN_SEED_BE8, "test_replication_invariant", 0xe6202b7809d8b1f3},
    {"18446744073709551615", DETRUN_SEED_BE8, "test_replication_invariant", 0x715a3a3d84af1ed5},
    {"seed", DETRUN_SEED_TEXT, "test_a", 0xb2ee21a67410e716},
    {"0xDEADBEEF12345678", DETRUN_SEED_DEC, "test_replication_invariant", 0xba790d862b674246},
    {"0xDEADBEEF12345678", DETRUN_SEED_HEX, "test_replication_invariant", 0xc1dd958ef1384b9b},
    {"a:b", DETRUN_SEED_TEXT, "c", 0xb0ee04f880c4ff42},
    {"a", DETRUN_SEED_TEXT, "b:c", 0xb0ee04f880c4ff42},
};

START_TEST(test_seed_is_as_in_the_contract)
{
    uint64_t seed = 1;
    ck_assert_int_eq(
        detrun_test_seed(seeds[_i].job_seed, seeds[_i].encoding, seeds[_i].test_name, &seed), 0);
    ck_assert_uint_eq(seed, seeds[_i].test_seed);
}
END_TEST

START_TEST(test_seed_refuses_what_is_no_seed)
{
    static const char *const bad[] = {"-1", "1_000", " 1", "", "0x", "18446744073709551616", "abc"};
    uint64_t seed;
    for (size_t i = 0; i < LENGTH(bad); i++)
        ck_assert_int_eq(detrun_test_seed(bad[i], DETRUN_SEED_BE8, "a", &seed), -EINVAL);
    ck_assert_int_eq(detrun_test_seed("1", 4, "a", &seed), -EINVAL);
    ck_assert_int_eq(detrun_test_seed("1", -1, "a", &seed), -EINVAL);
    ck_assert_int_eq(detrun_test_seed(NULL, DETRUN_SEED_BE8, "a", &seed), -EINVAL);
    ck_assert_int_eq(detrun_test_seed("1", DETRUN_SEED_BE8, NULL, &seed), -EINVAL);
    ck_assert_int_eq(detrun_test_seed("1", DETRUN_SEED_BE8, "a", NULL), -EINVAL);
}
END_TEST

/* Made with Python's hmac module. */
static const struct {
    const char *seed;
    uint64_t index;
    const char *uuid;
} uuids[] = {
    {"guide-fixture-v1", 0, "c251be24-937a-46cc-8e72-d18ec04bf017"},
    {"guide-fixture-v1", 1, "a838024e-6be1-4358-87de-a96060a89f35"},
    {"guide-fixture-v1", 10, "f07f8cec-8470-49cd-afb0-0bc4e6cf5953"},
    {"guide-fixture-v1", UINT64_MAX, "f1bfb844-6e35-4e8a-a514-47ba872a31ba"},
    {"", 0, "865c304b-8824-48a2-b0c9-7daaac46c604"},
    {"тест", 2, "13fd727e-9ca4-4230-a43f-6ba67269d508"},
};

START_TEST(uuid_of_a_seed_is_the_golden_one)
{
    char uuid[DETRUN_UUID_SIZE];
    ck_assert_int_eq(detrun_uuid(uuids[_i].seed, uuids[_i].index, uuid), 0);
    ck_assert_str_eq(uuid, uuids[_i].uuid);
}
END_TEST

START_TEST(uuid_without_a_seed_is_another_each_time)
{
    char one[DETRUN_UUID_SIZE];
    char two[DETRUN_UUID_SIZE];
    ck_assert_int_eq(detrun_uuid(NULL, 0, one), 0);
    ck_assert_int_eq(detrun_uuid(NULL, 0, two), 0);
    ck_assert_str_ne(one, two);
    ck_assert_int_eq(one[14], '4');
    ck_assert_ptr_nonnull(strchr("89ab", one[19]));
    ck_assert_int_eq(detrun_uuid("a", 0, NULL), -EINVAL);
}
END_TEST

START_TEST(fixture_is_as_in_the_contract)
{
    struct detrun_fixture *f = detrun_fixture_new_with("fixture_seed", 4242, 1, 7);
    char text[16];
    ck_assert_str_eq(detrun_fixture_run_id(f), "fixture_seed_seed4242");
    ck_assert_uint_eq(detrun_fixture_now_ms(f), 7);
    ck_assert_int_eq(detrun_fixture_timestamp(f, text, sizeof(text)), 7);
    ck_assert_str_eq(text, "T000000");
    ck_assert_uint_eq(detrun_fixture_now_ms(f), 14);
    detrun_fixture_timestamp(f, text, sizeof(text));
    ck_assert_str_eq(text, "T000001");
    ck_assert_int_eq(detrun_fixture_timestamp(f, text, 3), 7);
    ck_assert_str_eq(text, "T0");
    ck_assert_int_eq(detrun_fixture_timestamp(f, NULL, 0), -EINVAL);
    detrun_fixture_free(f);
    f = detrun_fixture_new_with("doctor_happy", 0, 1, 16);
    ck_assert_str_eq(detrun_fixture_run_id(f), "doctor_happy_seed0");
    detrun_fixture_free(f);
}
END_TEST

START_TEST(fixture_reads_the_environment_once)
{
    clean();
    setenv("E2E_DETERMINISTIC", "Yes", 1);
    setenv("E2E_SEED", "0xDEADBEEF12345678", 1);
    setenv("E2E_TIME_STEP_MS", "250", 1);
    struct detrun_fixture *f = detrun_fixture_new("p", 5);
    clean();
    ck_assert_uint_eq(detrun_fixture_seed(f), 0xdeadbeef12345678);
    ck_assert_uint_eq(detrun_fixture_test_seed(f, "a"), 0x731d761d783a3e4c);
    ck_assert_uint_eq(detrun_fixture_test_seed(f, NULL), 0xc356cb1db8a50975);
    ck_assert_int_eq(detrun_fixture_deterministic(f), 1);
    ck_assert_uint_eq(detrun_fixture_time_step_ms(f), 250);
    ck_assert_str_eq(detrun_fixture_run_id(f), "p_seed16045690981402826360");
    detrun_fixture_free(f);
}
END_TEST

START_TEST(fixture_takes_text_seeds)
{
    clean();
    setenv("E2E_SEED", "seed", 1);
    setenv("DETRUN_SEED_ENCODING", "text", 1);
    struct detrun_fixture *f = detrun_fixture_new("p", 5);
    clean();
    ck_assert_uint_eq(detrun_fixture_test_seed(f, "test_a"), 0xb2ee21a67410e716);
    detrun_fixture_free(f);
}
END_TEST

START_TEST(fixture_has_defaults)
{
    clean();
    struct detrun_fixture *f = detrun_fixture_new("p", 5);
    char id[64];
    char text[64];
    snprintf(id, sizeof(id), "p_%ld_", (long)getpid());
    ck_assert_uint_eq(detrun_fixture_seed(f), 5);
    ck_assert_int_eq(detrun_fixture_deterministic(f), 0);
    ck_assert_uint_eq(detrun_fixture_time_step_ms(f), 16);
    ck_assert_int_eq(strncmp(detrun_fixture_run_id(f), id, strlen(id)), 0);
    ck_assert_int_gt(detrun_fixture_timestamp(f, text, sizeof(text)), 12);
    ck_assert_ptr_nonnull(strchr(text, '.'));
    ck_assert_uint_lt(detrun_fixture_now_ms(f), 60000);
    detrun_fixture_free(f);
}
END_TEST

START_TEST(fixture_refuses_bad_values)
{
    static const struct {
        const char *name;
        const char *text;
    } bad[] = {{"E2E_DETERMINISTIC", "maybe"},
               {"E2E_SEED", "abc"},
               {"E2E_TIME_STEP_MS", "16ms"},
               {"DETRUN_SEED_ENCODING", "be9"}};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        clean();
        setenv("E2E_SEED", "1", 1);
        setenv(bad[i].name, bad[i].text, 1);
        errno = 0;
        ck_assert_ptr_null(detrun_fixture_new("p", 0));
        ck_assert_int_eq(errno, EINVAL);
    }
    clean();
    ck_assert_ptr_null(detrun_fixture_new(NULL, 0));
    ck_assert_ptr_null(detrun_fixture_new_with(NULL, 0, 1, 1));
}
END_TEST

START_TEST(snapshot_is_sorted_json)
{
    clean();
    setenv("TERM", "a\"b\\\n\x7f\xff\xc3\xa9", 1);
    setenv("NO_COLOR", "", 1);
    struct detrun_fixture *f = detrun_fixture_new("p", UINT64_MAX);
    ck_assert_str_eq(detrun_fixture_env_snapshot(f),
                     "{\"COLORTERM\":null,\"FTUI_TEST_PROFILE\":null,\"LANG\":null,\"LC_ALL\":null,"
                     "\"NO_COLOR\":true,\"TERM\":\"a\\\"b\\\\\\u000a\\u007f\xef\xbf\xbd\xc3\xa9\","
                     "\"TMUX\":false,\"TZ\":null,\"ZELLIJ\":false,"
                     "\"deterministic\":false,\"seed\":18446744073709551615}");
    detrun_fixture_free(f);
    clean();
}
END_TEST

#define THREADS 4
#define READS   10000

static void *read_often(void *fixture)
{
    for (int i = 0; i < READS; i++)
        detrun_fixture_now_ms(fixture);
    return NULL;
}

START_TEST(counters_lose_nothing_between_threads)
{
    struct detrun_fixture *f = detrun_fixture_new_with("p", 0, 1, 1);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_often, f), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(detrun_fixture_now_ms(f), THREADS * READS + 1);
    detrun_fixture_free(f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fixture");
    TCase *tcase = tcase_create("fixture");
    tcase_add_loop_test(tcase, test_seed_is_as_in_the_contract, 0, (int)LENGTH(seeds));
    tcase_add_test(tcase, test_seed_refuses_what_is_no_seed);
    tcase_add_loop_test(tcase, uuid_of_a_seed_is_the_golden_one, 0, (int)LENGTH(uuids));
    tcase_add_test(tcase, uuid_without_a_seed_is_another_each_time);
    tcase_add_test(tcase, fixture_is_as_in_the_contract);
    tcase_add_test(tcase, fixture_reads_the_environment_once);
    tcase_add_test(tcase, fixture_takes_text_seeds);
    tcase_add_test(tcase, fixture_has_defaults);
    tcase_add_test(tcase, fixture_refuses_bad_values);
    tcase_add_test(tcase, snapshot_is_sorted_json);
    tcase_add_test(tcase, counters_lose_nothing_between_threads);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
