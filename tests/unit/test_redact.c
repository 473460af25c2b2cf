/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "redact.h"

static const struct {
    const char *pattern;
    const char *text;
    const char *left;
} texts[] = {
    {"", "all", "all"},
    {"b", "abc", "a[redacted]c"},
    {"x*", "axxb", "a[redacted]b"},
    {"^a", "aa", "[redacted]a"},
    {".*", "a\nb", "[redacted]"},
    {"e", "[redacted]e", "[redacted][redacted]"},
    {"\xff.", "a\xff\xff", "a[redacted]"},
};

START_TEST(texts_lose_what_is_found)
{
    char *left = redact_text(texts[_i].pattern, texts[_i].text);
    ck_assert_str_eq(left, texts[_i].left);
    free(left);
}
END_TEST

static const struct {
    const char *pattern;
    const char *record;
    const char *left;
} records[] = {
    {"none", "{\"event\":\"a\",\"reason\":\"b\"", "{\"event\":\"a\",\"reason\":\"b\""},
    {".*", "{\"event\":\"a\",\"reason\":\"b\"",
     "{\"event\":\"a\",\"reason\":\"[redacted]\",\"redacted\":true"},
    /* Names of the user are names, whatever they are. */
    {"a", "{\"values\":{\"event\":\"a\"},\"event\":\"a\"",
     "{\"values\":{\"event\":\"[redacted]\"},\"event\":\"a\",\"redacted\":true"},
    {"a", "{\"calls\":[{\"host\":\"a\",\"ok\":true},{\"host\":\"b\",\"text\":\"a\"}]",
     "{\"calls\":[{\"host\":\"[redacted]\",\"ok\":true},{\"host\":\"b\",\"text\":\"[redacted]\"}]"
     ",\"redacted\":true"},
    {"[0-9a-f]", "{\"seed_hex\":\"0x1\",\"xxh3\":\"a\",\"seed\":1",
     "{\"seed_hex\":\"0x1\",\"xxh3\":\"a\",\"seed\":1"},
    {"f", "{\"options\":{\"seed\":{\"text\":\"?\",\"hex\":\"ff\"},\"hex\":\"f\"}",
     "{\"options\":{\"seed\":{\"text\":\"?\",\"hex\":\"ff\"},\"hex\":\"[redacted]\"}"
     ",\"redacted\":true"},
    /* What is looked at is the text, and not how JSON writes it. */
    {"n", "{\"text\":\"a\\nb\"", "{\"text\":\"a\\nb\""},
    {"\"b\\\\", "{\"text\":\"a\\\"b\\\\\\u0041\"", "{\"text\":\"a[redacted]A\",\"redacted\":true"},
    {"\xf0\x9f\x98\x80", "{\"text\":\"\\ud83d\\ude00\\u00e9\"",
     "{\"text\":\"[redacted]\xc3\xa9\",\"redacted\":true"},
    /* What is no JSON does no harm. */
    {"a", "{\"text\":\"a\\", "{\"text\":\"[redacted]\xef\xbf\xbd\",\"redacted\":true"},
    {"a", "{}}}\"a\"{", "{}}}\"[redacted]\"{,\"redacted\":true"},
};

START_TEST(records_keep_what_is_detruns)
{
    char *left = redact_record(records[_i].pattern, records[_i].record);
    ck_assert_str_eq(left, records[_i].left);
    free(left);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("redact");
    TCase *tcase = tcase_create("redact");
    tcase_add_loop_test(tcase, texts_lose_what_is_found, 0, sizeof(texts) / sizeof(texts[0]));
    tcase_add_loop_test(tcase, records_keep_what_is_detruns, 0,
                        sizeof(records) / sizeof(records[0]));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
