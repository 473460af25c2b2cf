/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "values.h"

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

static struct options o;

/* The options point into the words: they outlive the literal that they come in. */
static int parse(char **argv)
{
    static char *words[16];
    int argc = 0;
    for (; argv[argc]; argc++)
        words[argc] = argv[argc];
    words[argc] = NULL;
    return options_parse(&o, argc, words);
}

/* Words of a command line, without the program's name. */
#define PARSE(...) parse((char *[]){"detrun", __VA_ARGS__, NULL})

static void clean_environment(void)
{
    static const char *const names[] = {"E2E_DETERMINISTIC", "E2E_SEED",     "E2E_TIME_STEP_MS",
                                        "SOURCE_DATE_EPOCH", "DETRUN_EPOCH", "DETRUN_REAL"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
}

START_TEST(seeds_are_whole_numbers)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {
        {"0", true, 0},
        {"42", true, 42},
        {"18446744073709551615", true, UINT64_MAX},
        {"0XdeadBEEF", true, 0xdeadbeef},
        {"0xffffffffffffffff", true, UINT64_MAX},
        {"-1", false, 0},
        {"+1", false, 0},
        {"1_000", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"0x", false, 0},
        {"", false, 0},
        {"18446744073709551616", false, 0},
        {"0x10000000000000000", false, 0},
        {"abc", false, 0},
        {"1.5", false, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t value = 0;
        ck_assert_msg(value_u64(rows[i].text, &value) == rows[i].good, "%s", rows[i].text);
        if (rows[i].good)
            ck_assert_uint_eq(value, rows[i].value);
    }
}
END_TEST

START_TEST(durations_have_units)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t ns;
    } rows[] = {
        {"100us", true, 100000}, {"16ms", true, 16 * MS},   {"16", true, 16 * MS},
        {"0", true, 0},          {"1.5s", true, 1500 * MS}, {"7ns", true, 7},
        {"2m", true, 120 * S},   {"1h", true, 3600 * S},    {"1d", true, 86400 * S},
        {"", false, 0},          {"ms", false, 0},          {"-1ms", false, 0},
        {"1 ms", false, 0},      {"1.", false, 0},          {"5q", false, 0},
        {"9999999d", false, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t ns = 0;
        ck_assert_msg(value_duration(rows[i].text, MS, &ns) == rows[i].good, "%s", rows[i].text);
        if (rows[i].good)
            ck_assert_uint_eq(ns, rows[i].ns);
    }
}
END_TEST

START_TEST(epochs_come_in_several_forms)
{
    static const struct {
        const char *text;
        int64_t seconds; /* -1: bad */
    } rows[] = {
        {"0", 0},
        {"1735689600", 1735689600},
        {"2025-01-01T00:00:00Z", 1735689600},
        {"2025-01-01t00:00:00z", 1735689600},
        {"2024-12-31 19:00:00-05:00", 1735689600},
        {"2024-02-29T12:00:00+02:00", 1709200800},
        {"now", 1000000},
        {"+30d", 1000000 + 30 * 86400},
        {"-1d", 1000000 - 86400},
        {"-1y", -1},
        {"2025-02-29T00:00:00Z", -1},
        {"2025-13-01T00:00:00Z", -1},
        {"2025-01-01T00:00:00", -1},
        {"2025-01-01", -1},
        {"2025-01-01T00:00:00+0200", -1},
        {"", -1},
        {"+5", -1},
        {"+d", -1},
        {"soon", -1},
        {"99999999999", -1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int64_t ns = 0;
        bool relative;
        bool good = value_epoch(rows[i].text, 1000000 * (int64_t)S, &ns, &relative);
        ck_assert_msg(good == (rows[i].seconds >= 0), "%s", rows[i].text);
        if (good)
            ck_assert_int_eq(ns, rows[i].seconds * (int64_t)S);
    }
}
END_TEST

START_TEST(sources_are_a_closed_list)
{
    uint32_t mask;
    ck_assert(value_real("wall,env", &mask));
    ck_assert_uint_eq(mask, 1U << DETRUN_WALL | 1U << DETRUN_ENV);
    ck_assert(value_real("files", &mask));
    ck_assert_uint_eq(mask, 1U << DETRUN_DIRS | 1U << DETRUN_INODES | 1U << DETRUN_MTIMES);
    ck_assert(!value_real("", &mask));
    ck_assert(!value_real("wall,", &mask));
    ck_assert(!value_real("walls", &mask));
}
END_TEST

START_TEST(booleans_are_words)
{
    bool value;
    ck_assert(value_boolean("YES", &value) && value);
    ck_assert(value_boolean("Off", &value) && !value);
    ck_assert(value_boolean("", &value) && !value);
    ck_assert(!value_boolean("2", &value));
}
END_TEST

START_TEST(defaults_are_those_of_the_contract)
{
    ck_assert_int_eq(PARSE("--seed", "1", "dir/true"), 0);
    ck_assert_uint_eq(o.step_ns, 16 * MS);
    ck_assert_uint_eq(o.mono_step_ns, 0);
    ck_assert_int_eq(o.epoch_ns, DETRUN_DEFAULT_EPOCH_NS);
    ck_assert_str_eq(o.test_name, "true");
    ck_assert_int_eq(o.seed_source, SEED_FROM_CLI);
}
END_TEST

START_TEST(an_explicit_step_sets_both_families)
{
    ck_assert_int_eq(PARSE("--step", "16ms", "true"), 0);
    ck_assert_uint_eq(o.mono_step_ns, 16 * MS);
    ck_assert_int_eq(PARSE("--mono-step=1us", "--step=5", "true"), 0);
    ck_assert_uint_eq(o.step_ns, 5 * MS);
    ck_assert_uint_eq(o.mono_step_ns, 1000);
    setenv("E2E_TIME_STEP_MS", "250", 1);
    ck_assert_int_eq(PARSE("true"), 0);
    ck_assert_uint_eq(o.mono_step_ns, 250 * MS);
    setenv("E2E_TIME_STEP_MS", "16ms", 1);
    ck_assert_int_ne(PARSE("true"), 0);
}
END_TEST

START_TEST(the_command_line_wins)
{
    setenv("E2E_SEED", "bad", 1);
    ck_assert_int_ne(PARSE("true"), 0);
    ck_assert_str_eq(o.error, "E2E_SEED: \"bad\" is not a seed; give a whole number from 0 to "
                              "18446744073709551615, decimal or 0x hex");
    ck_assert_int_eq(PARSE("--seed", "5", "true"), 0);
    ck_assert_uint_eq(o.seed.number, 5);
    ck_assert_int_eq(PARSE("--job-seed=0x10", "--seed=7", "true"), 0);
    ck_assert_uint_eq(o.seed.number, 7);
}
END_TEST

START_TEST(the_seed_has_a_source)
{
    ck_assert_int_eq(PARSE("true"), 0);
    ck_assert_int_eq(o.seed_source, SEED_FROM_FRESH);
    setenv("E2E_DETERMINISTIC", "yes", 1);
    ck_assert_int_eq(PARSE("true"), 0);
    ck_assert_int_eq(o.seed_source, SEED_FROM_DEFAULT);
    ck_assert_uint_eq(o.seed.number, 0);
    setenv("E2E_SEED", "9", 1);
    ck_assert_int_eq(PARSE("true"), 0);
    ck_assert_int_eq(o.seed_source, SEED_FROM_ENV);
}
END_TEST

START_TEST(off_leaves_the_command_alone)
{
    setenv("E2E_DETERMINISTIC", "off", 1);
    ck_assert_int_eq(PARSE("true", "--seed"), 0);
    ck_assert_int_eq(o.action, OPTIONS_UNTOUCHED);
    ck_assert_str_eq(o.command[1], "--seed");
    setenv("E2E_DETERMINISTIC", "maybe", 1);
    ck_assert_int_ne(PARSE("true"), 0);
}
END_TEST

START_TEST(the_command_begins_where_options_end)
{
    ck_assert_int_eq(PARSE("run", "--seed", "1", "--", "run", "--seed"), 0);
    ck_assert_str_eq(o.command[0], "run");
    ck_assert_str_eq(o.command[1], "--seed");
    ck_assert_int_eq(PARSE("--seed", "1", "sh", "--", "-c"), 0);
    ck_assert_str_eq(o.command[1], "--");
    ck_assert_int_ne(PARSE("--seed", "1"), 0);
    ck_assert_int_ne(PARSE("--seed"), 0);
    ck_assert_int_ne(PARSE("--sed", "1", "true"), 0);
    ck_assert_int_eq(PARSE("--help"), 0);
    ck_assert_int_eq(o.action, OPTIONS_HELP);
}
END_TEST

START_TEST(a_text_seed_takes_any_text)
{
    ck_assert_int_eq(PARSE("--seed", "seed", "--seed-encoding", "text", "--test-name=test_a", "x"),
                     0);
    ck_assert_uint_eq(o.test_seed, 0xb2ee21a67410e716);
}
END_TEST

START_TEST(source_date_epoch_is_weaker)
{
    setenv("SOURCE_DATE_EPOCH", "1000", 1);
    ck_assert_int_eq(PARSE("true"), 0);
    ck_assert_int_eq(o.epoch_ns, 1000 * (int64_t)S);
    setenv("DETRUN_EPOCH", "2000", 1);
    ck_assert_int_eq(PARSE("true"), 0);
    ck_assert_int_eq(o.epoch_ns, 2000 * (int64_t)S);
    setenv("DETRUN_EPOCH", "now", 1);
    ck_assert_int_ne(PARSE("true"), 0);
}
END_TEST

START_TEST(a_file_is_weakest)
{
    char path[] = "/tmp/detrun-options-XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    fputs("# comment\n\nseed=3\nstep=2ms\nstrict=yes\n", file);
    fclose(file);
    setenv("E2E_SEED", "4", 1);
    ck_assert_int_eq(PARSE("--config", path, "true"), 0);
    ck_assert_uint_eq(o.seed.number, 4);
    ck_assert_uint_eq(o.step_ns, 2 * MS);
    ck_assert(o.strict);
    unlink(path);
    ck_assert_int_ne(PARSE("--config", path, "true"), 0);
}
END_TEST

START_TEST(the_repeating_command_is_quoted)
{
    char *text = NULL;
    size_t size;
    char *argv[] = {"detrun", "--step", "1ms", "--", "sh", "-c", "echo 'it'", NULL};
    ck_assert_int_eq(options_parse(&o, 7, argv), 0);
    o.seed.number = 12;
    FILE *out = open_memstream(&text, &size);
    options_print_repeat(out, &o, argv);
    fclose(out);
    ck_assert_str_eq(text, "detrun --step 1ms --seed 12 -- sh -c 'echo '\\''it'\\'''\n");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tcase = tcase_create("options");
    tcase_add_checked_fixture(tcase, clean_environment, NULL);
    tcase_add_test(tcase, seeds_are_whole_numbers);
    tcase_add_test(tcase, durations_have_units);
    tcase_add_test(tcase, epochs_come_in_several_forms);
    tcase_add_test(tcase, sources_are_a_closed_list);
    tcase_add_test(tcase, booleans_are_words);
    tcase_add_test(tcase, defaults_are_those_of_the_contract);
    tcase_add_test(tcase, an_explicit_step_sets_both_families);
    tcase_add_test(tcase, the_command_line_wins);
    tcase_add_test(tcase, the_seed_has_a_source);
    tcase_add_test(tcase, off_leaves_the_command_alone);
    tcase_add_test(tcase, the_command_begins_where_options_end);
    tcase_add_test(tcase, a_text_seed_takes_any_text);
    tcase_add_test(tcase, source_date_epoch_is_weaker);
    tcase_add_test(tcase, a_file_is_weakest);
    tcase_add_test(tcase, the_repeating_command_is_quoted);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
