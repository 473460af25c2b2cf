/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "seed.h"

/* The table of the contract, section 2. */
static const struct {
    struct job_seed seed;
    const char *test_name;
    uint64_t test_seed;
} vectors[] = {
    {{SEED_BE8, 0xDEADBEEF12345678, NULL}, "test_replication_invariant", 0xfe235aa3e4ce1ddb},
    {{SEED_BE8, 0xDEADBEEF12345678, NULL}, "a", 0x731d761d783a3e4c},
    {{SEED_BE8, 0xDEADBEEF12345678, NULL}, "", 0xc356cb1db8a50975},
    {{SEED_BE8, 0xDEADBEEF12345678, NULL}, "тест", 0xf27c583285d5ceb7},
    {{SEED_BE8, 0, NULL}, "test_replication_invariant", 0x7f5bf3988182e1a6},
    {{SEED_BE8, 42, NULL}, "test_replication_invariant", 0x51670a6abbeb5232},
    {{SEED_BE8, 314159, NULL}, "test_replication_invariant", 0xe6202b7809d8b1f3},
    {{SEED_BE8, UINT64_MAX, NULL}, "test_replication_invariant", 0x715a3a3d84af1ed5},
    {{SEED_TEXT, 0, "seed"}, "test_a", 0xb2ee21a67410e716},
    {{SEED_DEC, 0xDEADBEEF12345678, NULL}, "test_replication_invariant", 0xba790d862b674246},
    {{SEED_HEX, 0xDEADBEEF12345678, NULL}, "test_replication_invariant", 0xc1dd958ef1384b9b},
    {{SEED_TEXT, 0, "a:b"}, "c", 0xb0ee04f880c4ff42},
    {{SEED_TEXT, 0, "a"}, "b:c", 0xb0ee04f880c4ff42},
};

START_TEST(test_seed_is_as_in_the_contract)
{
    ck_assert_uint_eq(seed_for_test(&vectors[_i].seed, vectors[_i].test_name),
                      vectors[_i].test_seed);
}
END_TEST

START_TEST(keys_of_small_seeds_have_nothing_in_common)
{
    uint8_t zero[32];
    uint8_t one[32];
    int equal = 0;
    seed_key(0, zero);
    seed_key(1, one);
    for (size_t i = 0; i < sizeof(zero); i++)
        equal += zero[i] == one[i];
    ck_assert_int_lt(equal, 6);
}
END_TEST

START_TEST(text_has_a_number)
{
    /* SHA-256 of "abc" starts with ba7816bf 8f01cfea. */
    ck_assert_uint_eq(seed_number_of_text("abc"), 0xba7816bf8f01cfea);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("seed");
    TCase *tcase = tcase_create("seed");
    tcase_add_loop_test(tcase, test_seed_is_as_in_the_contract, 0,
                        (int)(sizeof(vectors) / sizeof(vectors[0])));
    tcase_add_test(tcase, keys_of_small_seeds_have_nothing_in_common);
    tcase_add_test(tcase, text_has_a_number);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
