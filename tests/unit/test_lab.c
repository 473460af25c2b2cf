/* SPDX-License-Identifier: MIT */
/* Outside a job: scenarios, and recordings in files. */
#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "detrun.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static char path[] = "/tmp/detrun-lab-XXXXXX";

static void make_path(void)
{
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    setenv("E2E_DETERMINISTIC", "1", 1);
    setenv("E2E_TIME_STEP_MS", "7", 1);
}

static void drop_path(void)
{
    unlink(path);
}

struct plan {
    bool record;
    const char *captures[4][2]; /* name, bytes */
    int replayed;               /* what detrun_session_replay() said */
    struct detrun_replay replay;
};

static int follow(struct detrun_session *session, void *argument)
{
    struct plan *plan = argument;
    int error = plan->record ? detrun_session_record(session, path) : 0;
    plan->replayed = plan->record ? 0 : detrun_session_replay(session, path);
    for (int i = 0; i < 4 && plan->captures[i][0]; i++)
        detrun_session_capture(session, plan->captures[i][0], plan->captures[i][1],
                               strlen(plan->captures[i][1]));
    if (!plan->record && plan->replayed == 0)
        error = detrun_session_replay_result(session, &plan->replay);
    return error;
}

static struct detrun_replay replay(const struct plan *plan)
{
    struct plan copy = *plan;
    ck_assert_int_eq(detrun_scenario_run("s", follow, &copy), 0);
    ck_assert_int_eq(copy.replayed, 0);
    return copy.replay;
}

static void record_two(void)
{
    struct plan plan = {true, {{"ids \"1\"\n", "abc"}, {"rows", ""}}, 0, {0}};
    ck_assert_int_eq(detrun_scenario_run("s", follow, &plan), 0);
}

/* What a replay of the two captures finds. */
static const struct {
    struct plan plan;
    int verdict;
    uint64_t compared;
    uint64_t divergence;
    const char *stage;
} replays[] = {
    {{false, {{"ids \"1\"\n", "abc"}, {"rows", ""}}, 0, {0}},
     DETRUN_MATCHED,
     2,
     DETRUN_NO_DIVERGENCE,
     ""},
    {{false, {{"ids \"1\"\n", "abd"}, {"rows", ""}}, 0, {0}}, DETRUN_DIVERGED, 1, 0, "ids \"1\"\n"},
    {{false, {{"ids \"1\"\n", "abc"}, {"row", ""}}, 0, {0}}, DETRUN_DIVERGED, 2, 1, "row"},
    {{false, {{"ids \"1\"\n", "abc"}}, 0, {0}}, DETRUN_DIVERGED, 1, 1, "rows"},
    {{false, {{"ids \"1\"\n", "abc"}, {"rows", ""}, {"more", ""}}, 0, {0}},
     DETRUN_DIVERGED,
     3,
     2,
     "more"},
    {{false, {{NULL}}, 0, {0}}, DETRUN_INCONCLUSIVE, 0, DETRUN_NO_DIVERGENCE, ""},
};

START_TEST(replay_finds_the_first_divergence)
{
    record_two();
    struct detrun_replay result = replay(&replays[_i].plan);
    ck_assert_int_eq(result.verdict, replays[_i].verdict);
    ck_assert_uint_eq(result.compared, replays[_i].compared);
    ck_assert_uint_eq(result.first_divergence, replays[_i].divergence);
    ck_assert_str_eq(result.stage, replays[_i].stage);
}
END_TEST

static void write_text(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    fclose(file);
}

static int replayed_as(const char *text, size_t length)
{
    struct plan plan = {false, {{NULL}}, 0, {0}};
    write_text(text, length);
    detrun_scenario_run("s", follow, &plan);
    return plan.replayed;
}

START_TEST(files_that_are_no_recording_are_refused)
{
    char whole[512];
    record_two();
    FILE *file = fopen(path, "r");
    size_t n = fread(whole, 1, sizeof(whole), file);
    fclose(file);
    ck_assert_int_eq(replayed_as(whole, n), 0);
    for (size_t cut = 0; cut < n; cut++)
        ck_assert_int_eq(replayed_as(whole, cut), -EBADMSG);
    ck_assert_int_eq(replayed_as("detrun-recording 2\nend 0\n", 25), -EBADMSG);
    ck_assert_int_eq(replayed_as("detrun-recording 1\nend 1\n", 25), -EBADMSG);
    ck_assert_int_eq(replayed_as("detrun-recording 1\nend 0\nx\n", 27), -EBADMSG);
    ck_assert_int_eq(replayed_as("detrun-recording 1\nx\nend 1\n", 27), -EBADMSG);
    ck_assert_int_eq(replayed_as("detrun-recording 1\nend\0 0\n", 26), -EBADMSG);
    ck_assert_int_eq(replayed_as("detrun-recording 1\nend 0\n", 25), 0);
}
END_TEST

static int misuse(struct detrun_session *session, void *argument)
{
    struct detrun_replay result;
    (void)argument;
    ck_assert_int_eq(detrun_session_replay_result(session, &result), -EINVAL);
    ck_assert_int_eq(detrun_session_record(session, "/nowhere/at/all"), -ENOENT);
    ck_assert_int_eq(detrun_session_replay(session, "/nowhere/at/all"), -ENOENT);
    ck_assert_int_eq(detrun_session_record(session, path), 0);
    ck_assert_int_eq(detrun_session_record(session, path), -EALREADY);
    ck_assert_int_eq(detrun_session_capture(session, NULL, "", 0), -EINVAL);
    ck_assert_int_eq(detrun_session_capture(session, "a", NULL, 1), -EINVAL);
    ck_assert_int_eq(detrun_session_event(session, NULL, ""), -EINVAL);
    ck_assert_int_eq(detrun_session_warn(session, NULL), -EINVAL);
    return 5;
}

START_TEST(misuse_is_an_error)
{
    ck_assert_int_eq(detrun_scenario_run("s", misuse, NULL), 5);
    ck_assert_int_eq(detrun_scenario_run(NULL, misuse, NULL), -EINVAL);
    ck_assert_int_eq(detrun_scenario_run("s", NULL, NULL), -EINVAL);
}
END_TEST

static int move_time(struct detrun_session *session, void *argument)
{
    (void)argument;
    ck_assert_uint_eq(detrun_session_now_ms(session), 7);
    ck_assert_uint_eq(detrun_session_tick(session), 14);
    ck_assert_uint_eq(detrun_session_now_ms(session), 21);
    ck_assert_int_eq(detrun_session_event(session, "e", NULL), 0);
    ck_assert_int_eq(detrun_session_warn(session, "w"), 0);
    return 0;
}

START_TEST(time_of_a_session_moves_by_steps)
{
    ck_assert_int_eq(detrun_scenario_run("s", move_time, NULL), 0);
    ck_assert_int_eq(detrun_scenario_run("s", move_time, NULL), 0);
}
END_TEST

START_TEST(totals_rise)
{
    struct plan plan = {true, {{NULL}}, 0, {0}};
    uint64_t scenarios = detrun_scenarios_run_total();
    ck_assert_int_eq(detrun_scenario_run("s", follow, &plan), 0);
    ck_assert_uint_eq(detrun_recordings_total(), 1);
    plan.record = false;
    ck_assert_int_eq(detrun_scenario_run("s", follow, &plan), 0);
    ck_assert_uint_eq(detrun_replays_total(), 1);
    ck_assert_uint_eq(detrun_scenarios_run_total(), scenarios + 2);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    struct plan plan = {true, {{"a", "b"}}, 0, {0}};
    unlink(path);
    ck_assert_int_eq(symlink("/dev/full", path), 0);
    ck_assert_int_eq(detrun_scenario_run("s", follow, &plan), -ENOSPC);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab");
    TCase *tcase = tcase_create("lab");
    tcase_add_checked_fixture(tcase, make_path, drop_path);
    tcase_add_loop_test(tcase, replay_finds_the_first_divergence, 0, (int)LENGTH(replays));
    tcase_add_test(tcase, files_that_are_no_recording_are_refused);
    tcase_add_test(tcase, misuse_is_an_error);
    tcase_add_test(tcase, time_of_a_session_moves_by_steps);
    tcase_add_test(tcase, totals_rise);
    tcase_add_test(tcase, a_full_disk_is_told);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
