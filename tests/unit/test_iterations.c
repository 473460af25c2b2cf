/* SPDX-License-Identifier: MIT */
/* In a job whose supervisor is the prctl() below. */
#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "detrun.h"
#include "detrun/abi.h"
#include "seed.h"

static struct detrun_info info;
static char records[16384];
static uint8_t keys[64][32];
static unsigned begun;
static uint64_t counts[DETRUN_COUNTERS];
static bool in_job;

static int add_record(const char *text, size_t length)
{
    if (!(info.flags & DETRUN_INFO_RECORDS))
        return -ENOTCONN;
    snprintf(records + strlen(records), sizeof(records) - strlen(records), "%.*s\n", (int)length,
             text);
    return 0;
}

static int answer(long operation, uintptr_t a, uintptr_t b, uintptr_t c)
{
    switch (operation) {
    case DETRUN_OP_BEGIN:
        memcpy(keys[begun++], (const void *)a, 32);
        return 0;
    case DETRUN_OP_RECORD:
        return add_record((const char *)a, b);
    case DETRUN_OP_COUNT:
        *(uint64_t *)c = counts[a] += b;
        return 0;
    case DETRUN_OP_INFO:
        memcpy((void *)a, &info, b);
        return (int)b;
    default:
        return -EINVAL;
    }
}

/* In front of libc's. */
int prctl(int option, ...)
{
    va_list arguments;
    va_start(arguments, option);
    long operation = va_arg(arguments, long);
    uintptr_t a = va_arg(arguments, uintptr_t);
    uintptr_t b = va_arg(arguments, uintptr_t);
    uintptr_t c = va_arg(arguments, uintptr_t);
    va_end(arguments);
    int result = option == DETRUN_OPTION && in_job ? answer(operation, a, b, c) : -EINVAL;
    errno = result < 0 ? -result : errno;
    return result < 0 ? -1 : result;
}

static void start_job(void)
{
    unsetenv("E2E_SEED");
    unsetenv("DETRUN_ONLY_ITERATION");
    unsetenv("DETRUN_MAX_EXAMPLES");
    in_job = true;
    info = (struct detrun_info){.size = sizeof(info),
                                .flags = DETRUN_INFO_RECORDS,
                                .job_seed = 42,
                                .step_ns = DETRUN_DEFAULT_STEP_NS,
                                .test_name = "run's own"};
}

static uint64_t seed_of(uint64_t seed, const char *name)
{
    return seed_for_test(&(struct job_seed){SEED_BE8, seed, NULL}, name);
}

static void assert_key(unsigned at, uint64_t seed)
{
    uint8_t key[32];
    seed_key(seed, key);
    ck_assert_uint_lt(at, begun);
    ck_assert_int_eq(memcmp(keys[at], key, 32), 0);
}

START_TEST(a_test_begins_with_its_own_key)
{
    ck_assert_int_eq(detrun_test_begin("test_replication_invariant"), 0);
    assert_key(0, 0x51670a6abbeb5232);
    ck_assert_uint_eq(detrun_current_seed(), 0x51670a6abbeb5232);
    info.seed_encoding = SEED_TEXT;
    strcpy(info.seed_text, "seed");
    ck_assert_int_eq(detrun_test_begin("test_a"), 0);
    assert_key(1, 0xb2ee21a67410e716);
    ck_assert_int_eq(detrun_test_begin(NULL), -EINVAL);
}
END_TEST

START_TEST(what_a_child_sets_does_not_change_the_job)
{
    setenv("E2E_SEED", "7", 1);
    ck_assert_int_eq(detrun_test_begin("test_replication_invariant"), 0);
    assert_key(0, 0x51670a6abbeb5232);
    struct detrun_fixture *f = detrun_fixture_new("p", 0);
    ck_assert_uint_eq(detrun_fixture_seed(f), 7);
    ck_assert_int_eq(detrun_fixture_deterministic(f), 1);
    detrun_fixture_free(f);
}
END_TEST

START_TEST(iterations_are_numbered_and_keyed)
{
    detrun_test_begin("t");
    ck_assert_uint_eq(detrun_max_examples(3), 3);
    for (uint64_t i = 1; i <= 3; i++) {
        char name[32];
        snprintf(name, sizeof(name), "detrun:iteration:%d", (int)i);
        ck_assert_uint_eq(detrun_iteration_begin(), i);
        uint64_t seed = seed_of(seed_of(42, "t"), name);
        assert_key((unsigned)i, seed);
        ck_assert_uint_eq(detrun_current_seed(), seed);
        ck_assert_int_eq(detrun_iteration_end(DETRUN_PASSED, 0, NULL), 0);
    }
    ck_assert_uint_eq(detrun_iteration_begin(), 0);
    ck_assert_uint_eq(detrun_iteration_begin(), 0);
    detrun_test_begin("t");
    ck_assert_uint_eq(detrun_iteration_begin(), 1);
}
END_TEST

START_TEST(one_iteration_runs_alone)
{
    setenv("DETRUN_ONLY_ITERATION", "7", 1);
    detrun_test_begin("t");
    detrun_max_examples(10);
    ck_assert_uint_eq(detrun_iteration_begin(), 7);
    assert_key(1, seed_of(seed_of(42, "t"), "detrun:iteration:7"));
    detrun_iteration_end(DETRUN_PASSED, 0, NULL);
    ck_assert_uint_eq(detrun_iteration_begin(), 0);
    setenv("DETRUN_ONLY_ITERATION", "7:t", 1);
    detrun_test_begin("t");
    ck_assert_uint_eq(detrun_iteration_begin(), 7);
    detrun_test_begin("u");
    ck_assert_uint_eq(detrun_iteration_begin(), 0);
    info.only_iteration = 3;
    detrun_test_begin("u");
    ck_assert_uint_eq(detrun_iteration_begin(), 3);
}
END_TEST

static const char *const bad_iterations[] = {"x",
                                             "",
                                             "0",
                                             "0:t",
                                             "-1",
                                             "7x",
                                             "7:",
                                             ":t",
                                             " 7",
                                             "0x7",
                                             "18446744073709551616",
                                             "000000000000000000000000000000007"};

START_TEST(an_iteration_is_a_number_from_1)
{
    setenv("DETRUN_ONLY_ITERATION", bad_iterations[_i], 1);
    ck_assert_int_eq(detrun_test_begin("t"), -EINVAL);
    ck_assert_int_eq(detrun_call("C", "text", 0), -EINVAL);
    info.only_iteration = 3;
    ck_assert_int_eq(detrun_test_begin("t"), 0);
    ck_assert_uint_eq(detrun_iteration_begin(), 3);
}
END_TEST

static void run_none(void)
{
    freopen("/dev/null", "w", stderr);
    while (detrun_iteration_begin() != 0)
        detrun_iteration_end(DETRUN_PASSED, 0, NULL);
}

/* Each would pass, with no iteration run. */
START_TEST(without_a_test_no_iteration_passes)
{
    detrun_test_begin("before");
    detrun_max_examples(1);
    run_none();
    setenv("DETRUN_ONLY_ITERATION", "x", _i != 0);
    if (_i == 0)
        detrun_test_begin(NULL);
    else if (_i == 1)
        detrun_test_begin("t");
    run_none();
}
END_TEST

START_TEST(without_a_beginning_no_iteration_passes)
{
    setenv("E2E_TIME_STEP_MS", "x", 1);
    run_none();
}
END_TEST

START_TEST(examples_come_from_the_run_then_the_environment)
{
    detrun_test_begin("t");
    ck_assert_uint_eq(detrun_max_examples(100), 100);
    setenv("DETRUN_MAX_EXAMPLES", "5", 1);
    detrun_test_begin("t");
    ck_assert_uint_eq(detrun_max_examples(100), 5);
    info.max_examples = 2;
    detrun_test_begin("t");
    ck_assert_uint_eq(detrun_max_examples(100), 2);
    ck_assert_uint_eq(detrun_iteration_begin(), 1);
    ck_assert_uint_eq(detrun_iteration_begin(), 2);
    ck_assert_uint_eq(detrun_iteration_begin(), 0);
}
END_TEST

START_TEST(a_failure_tells_all)
{
    detrun_test_begin("test_replication_invariant");
    detrun_iteration_begin();
    ck_assert_int_eq(detrun_value("nodes", "2"), 0);
    ck_assert_int_eq(detrun_value("partition", "2"), 0);
    ck_assert_int_eq(detrun_value("nodes", "3"), 0);
    ck_assert_int_eq(detrun_call("A", "fine", 1), 0);
    ck_assert_int_eq(detrun_call("C", "Host C did not respond", 0), 0);
    ck_assert_int_eq(detrun_call("C", "nor \"again\"", 0), 0);
    ck_assert_int_eq(detrun_iteration_end(DETRUN_FAILED, 4, "no quorum"), 0);
    ck_assert_str_eq(
        records,
        "call\n\"iteration\":1,\"index\":0,\"host\":\"A\",\"text\":\"fine\",\"ok\":true\n"
        "call\n\"iteration\":1,\"index\":1,\"host\":\"C\",\"text\":\"Host C did not respond\","
        "\"ok\":false\n"
        "call\n\"iteration\":1,\"index\":2,\"host\":\"C\",\"text\":\"nor \\\"again\\\"\","
        "\"ok\":false\n"
        "iteration\n\"iteration\":1,\"test_name\":\"test_replication_invariant\","
        "\"values\":{\"nodes\":\"3\",\"partition\":\"2\"},"
        "\"test_seed\":5865668493208932914,\"test_seed_hex\":\"0x51670a6abbeb5232\","
        "\"result\":\"FAILED\",\"shrinks_attempted\":4,\"exit\":null,\"stdout_xxh3\":null,"
        "\"stderr_xxh3\":null,\"input_digest\":null\n"
        "failure\n\"reason\":\"no quorum\",\"test_name\":\"test_replication_invariant\","
        "\"iteration\":1,\"input\":{\"nodes\":\"3\",\"partition\":\"2\"},"
        "\"job_seed\":42,\"job_seed_hex\":\"0x2a\","
        "\"test_seed\":5865668493208932914,\"test_seed_hex\":\"0x51670a6abbeb5232\","
        "\"shrinks_attempted\":4,\"hosts\":[\"C\"],"
        "\"calls\":[{\"host\":\"A\",\"text\":\"fine\",\"ok\":true},"
        "{\"host\":\"C\",\"text\":\"Host C did not respond\",\"ok\":false},"
        "{\"host\":\"C\",\"text\":\"nor \\\"again\\\"\",\"ok\":false}],\"state\":null\n");
}
END_TEST

START_TEST(outside_of_iterations)
{
    ck_assert_int_eq(detrun_value("a", "b"), -EINVAL);
    ck_assert_int_eq(detrun_iteration_end(DETRUN_PASSED, 0, NULL), -EINVAL);
    info.iteration = 5;
    detrun_test_begin("t");
    ck_assert_int_eq(detrun_call("A", "fine", 1), 0);
    ck_assert_str_eq(records, "call\n\"iteration\":5,\"index\":0,\"host\":\"A\",\"text\":\"fine\","
                              "\"ok\":true\n");
    detrun_iteration_begin();
    ck_assert_int_eq(detrun_iteration_end(4, 0, NULL), -EINVAL);
    ck_assert_int_eq(detrun_iteration_end(-1, 0, NULL), -EINVAL);
    ck_assert_int_eq(detrun_iteration_end(DETRUN_SKIPPED, 0, NULL), 0);
    ck_assert_int_eq(detrun_iteration_end(DETRUN_SKIPPED, 0, NULL), -EINVAL);
}
END_TEST

START_TEST(stages_count_by_name_in_each_test)
{
    detrun_test_begin("t");
    ck_assert_int_eq(detrun_stage("ids", "abc", 3), 0);
    ck_assert_int_eq(detrun_stage("rows", NULL, 0), 0);
    ck_assert_int_eq(detrun_stage("ids", "abc", 3), 0);
    detrun_test_begin("u");
    ck_assert_int_eq(detrun_stage("ids", "abc", 3), 0);
    ck_assert_str_eq(records, "stage\n\"name\":\"ids\",\"index\":0,\"bytes\":3,"
                              "\"xxh3\":\"06b05ab6733a618578af5f94892f3950\"\n"
                              "stage\n\"name\":\"rows\",\"index\":0,\"bytes\":0,"
                              "\"xxh3\":\"99aa06d3014798d86001c324468d497f\"\n"
                              "stage\n\"name\":\"ids\",\"index\":1,\"bytes\":3,"
                              "\"xxh3\":\"06b05ab6733a618578af5f94892f3950\"\n"
                              "stage\n\"name\":\"ids\",\"index\":0,\"bytes\":3,"
                              "\"xxh3\":\"06b05ab6733a618578af5f94892f3950\"\n");
    ck_assert_int_eq(detrun_stage(NULL, "", 0), -EINVAL);
    ck_assert_int_eq(detrun_stage("a", NULL, 1), -EINVAL);
}
END_TEST

START_TEST(events_are_counted)
{
    ck_assert_int_eq(detrun_event("a", NULL), 0);
    ck_assert_int_eq(detrun_event("b", "line\nline"), 0);
    ck_assert_int_eq(detrun_event(NULL, NULL), -EINVAL);
    ck_assert_uint_eq(counts[DETRUN_COUNTER_EVENTS], 2);
    ck_assert_str_eq(records, "event\n\"name\":\"a\"\n"
                              "event\n\"name\":\"b\",\"text\":\"line\\u000aline\"\n");
}
END_TEST

static int two_events(struct detrun_session *session, void *argument)
{
    (void)argument;
    detrun_session_event(session, "e", NULL);
    detrun_session_warn(session, "late");
    detrun_session_event(session, "e", NULL);
    return 3;
}

START_TEST(scenarios_have_start_and_end)
{
    ck_assert_int_eq(detrun_scenario_run("t", two_events, NULL), 3);
    assert_key(0, seed_of(42, "t"));
    ck_assert_str_eq(records, "scenario\n\"name\":\"t\",\"phase\":\"start\"\n"
                              "event\n\"name\":\"e\"\n"
                              "scenario\n\"name\":\"t\",\"phase\":\"warn\",\"text\":\"late\"\n"
                              "event\n\"name\":\"e\"\n"
                              "scenario\n\"name\":\"t\",\"phase\":\"end\",\"event_count\":2,"
                              "\"volatile\":{\"total\":1}\n");
    ck_assert_uint_eq(detrun_scenarios_run_total(), 1);
}
END_TEST

START_TEST(outside_a_job_nothing_is_keyed_or_recorded)
{
    in_job = false;
    setenv("E2E_SEED", "42", 1);
    ck_assert_int_eq(detrun_in_job(), 0);
    ck_assert_int_eq(detrun_test_begin("test_replication_invariant"), 0);
    ck_assert_uint_eq(detrun_current_seed(), 0x51670a6abbeb5232);
    ck_assert_uint_eq(detrun_iteration_begin(), 1);
    ck_assert_int_eq(detrun_call("C", "text", 0), 0);
    ck_assert_int_eq(detrun_stage("s", "x", 1), 0);
    ck_assert_int_eq(detrun_iteration_end(DETRUN_FAILED, 0, NULL), 0);
    ck_assert_uint_eq(begun, 0);
    ck_assert_str_eq(records, "");
    setenv("E2E_SEED", "abc", 1);
    ck_assert_int_eq(detrun_test_begin("t"), -EINVAL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("iterations");
    TCase *tcase = tcase_create("iterations");
    tcase_add_checked_fixture(tcase, start_job, NULL);
    tcase_add_test(tcase, a_test_begins_with_its_own_key);
    tcase_add_test(tcase, what_a_child_sets_does_not_change_the_job);
    tcase_add_test(tcase, iterations_are_numbered_and_keyed);
    tcase_add_test(tcase, one_iteration_runs_alone);
    tcase_add_loop_test(tcase, an_iteration_is_a_number_from_1, 0,
                        sizeof(bad_iterations) / sizeof(bad_iterations[0]));
    tcase_add_loop_exit_test(tcase, without_a_test_no_iteration_passes, DETRUN_EXIT_FAILED, 0, 2);
    tcase_add_exit_test(tcase, without_a_beginning_no_iteration_passes, DETRUN_EXIT_FAILED);
    tcase_add_test(tcase, examples_come_from_the_run_then_the_environment);
    tcase_add_test(tcase, a_failure_tells_all);
    tcase_add_test(tcase, outside_of_iterations);
    tcase_add_test(tcase, stages_count_by_name_in_each_test);
    tcase_add_test(tcase, events_are_counted);
    tcase_add_test(tcase, scenarios_have_start_and_end);
    tcase_add_test(tcase, outside_a_job_nothing_is_keyed_or_recorded);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
