/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "unfollow.h"

static const struct {
    const char *patterns;
    const char *path;
    bool matches;
} rows[] = {
    {"server", "/usr/bin/server", true},
    {"server", "server", true},
    {"server", "/usr/bin/server2", false},
    {"serv*", "/usr/bin/server2", true},
    {"s?rver", "/bin/server", true},
    {"[a-s]erver", "/bin/server", true},
    {"/usr/*", "/usr/bin/server", true},
    {"bin/server", "/usr/bin/server", false},
    {"*/bin/server", "/usr/bin/server", true},
    {"a:server", "/bin/server", true},
    {"a:b", "/bin/server", false},
    {"a::b", "/bin/server", false},
    {"", "/bin/server", false},
    {"*", "/bin/server", true},
    {"SERVER", "/bin/server", false},
    {"usr", "/usr/bin/server", false},
};

START_TEST(patterns_without_slash_are_for_the_base_name)
{
    ck_assert_int_eq(unfollow_matches(rows[_i].patterns, rows[_i].path), rows[_i].matches);
}
END_TEST

static const struct {
    const char *list;
    const char *rest;
    bool found;
} lists[] = {
    {"/w", "", true},        {"/w:b", "b", true},     {"b:/w", "b", true},
    {"a:/w:b", "a:b", true}, {"a /w b", "a b", true}, {"a:/ww", "a:/ww", false},
    {"/x/w", "/x/w", false}, {"", "", false},
};

START_TEST(words_of_lists_are_dropped_with_their_separator)
{
    char list[64];
    strcpy(list, lists[_i].list);
    ck_assert_int_eq(environment_drop_word(list, "/w"), lists[_i].found);
    ck_assert_str_eq(list, lists[_i].rest);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void)
{
    Suite *suite = suite_create("unfollow");
    TCase *tcase = tcase_create("unfollow");
    tcase_add_loop_test(tcase, patterns_without_slash_are_for_the_base_name, 0, COUNT(rows));
    tcase_add_loop_test(tcase, words_of_lists_are_dropped_with_their_separator, 0, COUNT(lists));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
