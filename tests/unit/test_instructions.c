/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "instructions.h"
#include "searched.h"

/* Lengths by hand, of each kind of operands. */
static const struct {
    uint8_t length;
    uint8_t code[15];
} samples[] = {
    {1, {0x90}},                                     /* nop */
    {2, {0x0f, 0x31}},                               /* rdtsc */
    {3, {0x0f, 0x01, 0xf9}},                         /* rdtscp */
    {4, {0x48, 0x0f, 0xc7, 0xf0}},                   /* rdrand %rax */
    {2, {0xeb, 0xfe}},                               /* jmp . */
    {5, {0xe8, 0, 0, 0, 0}},                         /* call */
    {6, {0x0f, 0x84, 0, 0, 0, 0}},                   /* je */
    {7, {0x48, 0x8d, 0x05, 1, 2, 3, 4}},             /* lea 4(%rip), %rax */
    {5, {0x48, 0x8d, 0x64, 0x24, 0x80}},             /* lea -128(%rsp), %rsp */
    {8, {0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0}},    /* lea 128(%rsp), %rsp */
    {7, {0x8b, 0x04, 0x25, 0, 0, 0, 0}},             /* mov 0, %eax */
    {10, {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}},      /* movabs */
    {5, {0xb8, 1, 2, 3, 4}},                         /* mov $, %eax */
    {4, {0x66, 0xb8, 1, 2}},                         /* mov $, %ax */
    {3, {0xf6, 0xc1, 1}},                            /* test $, %cl */
    {2, {0xf6, 0xd1}},                               /* not %cl */
    {6, {0xf7, 0xc1, 1, 2, 3, 4}},                   /* test $, %ecx */
    {5, {0x66, 0xf7, 0xc1, 1, 2}},                   /* test $, %cx */
    {9, {0xa1, 1, 2, 3, 4, 5, 6, 7, 8}},             /* movabs, %eax */
    {4, {0xc8, 1, 2, 3}},                            /* enter */
    {3, {0xc5, 0xf8, 0x77}},                         /* vzeroupper */
    {6, {0xc4, 0xe3, 0x7d, 0x39, 0xc1, 0x01}},       /* vextracti128 */
    {6, {0x62, 0xf1, 0x7c, 0x48, 0x28, 0xc1}},       /* vmovaps %zmm1, %zmm0 */
    {7, {0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc1, 0xff}}, /* vpternlogd */
    {9, {0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}},    /* nopw */
    {6, {0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x08}},       /* palignr */
    {0, {0x06}},                                     /* none in 64-bit mode */
    {0, {0x82, 0xc0, 1}},
};

START_TEST(lengths_are_those_of_the_manual)
{
    struct x86 i;
    uint8_t length = samples[_i].length;
    bool good = x86_decode(samples[_i].code, sizeof(samples[_i].code), &i);
    ck_assert_int_eq(good, length != 0);
    ck_assert(!good || i.length == length);
    ck_assert(length < 2 || !x86_decode(samples[_i].code, length - 1U, &i));
}
END_TEST

START_TEST(what_depends_on_its_place_is_seen)
{
    struct x86 i;
    static const uint8_t lea[] = {0x48, 0x8d, 0x05, 1, 2, 3, 4};
    ck_assert(x86_decode(lea, sizeof(lea), &i) && i.displacement == 3 && x86_is_movable(&i));
    static const uint8_t absolute[] = {0x8b, 0x04, 0x25, 0, 0, 0, 0};
    ck_assert(x86_decode(absolute, sizeof(absolute), &i) && i.displacement == 0);
    static const uint8_t back[] = {0xeb, 0xf0};
    ck_assert(x86_decode(back, sizeof(back), &i) && !x86_is_movable(&i));
    ck_assert_uint_eq(x86_target(back, 100, &i), 100 + 2 - 16);
    static const uint8_t call[] = {0xe8, 0, 1, 0, 0};
    ck_assert(x86_decode(call, sizeof(call), &i) && !x86_is_movable(&i));
    ck_assert_uint_eq(x86_target(call, 100, &i), 100 + 5 + 256);
    static const uint8_t by_register[] = {0xff, 0xe0};
    ck_assert(x86_decode(by_register, 2, &i) && x86_is_indirect_jump(&i) && !x86_is_movable(&i));
    static const uint8_t kernel[] = {0x0f, 0x05};
    ck_assert(x86_decode(kernel, sizeof(kernel), &i) && !x86_is_movable(&i));
}
END_TEST

START_TEST(rdpid_is_not_rdseed)
{
    struct x86 i;
    static const uint8_t rdpid[] = {0xf3, 0x0f, 0xc7, 0xf8};
    static const uint8_t rdseed[] = {0x0f, 0xc7, 0xf8};
    ck_assert(x86_decode(rdpid, sizeof(rdpid), &i));
    ck_assert_int_eq(instructions_kind(&i), INSTRUCTION_NONE);
    ck_assert(x86_decode(rdseed, sizeof(rdseed), &i));
    ck_assert_int_eq(instructions_kind(&i), INSTRUCTION_RANDOM);
}
END_TEST

START_TEST(without_functions_nothing_is_found)
{
    static const uint8_t code[64] = {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20};
    struct instruction_text text = {code, sizeof(code), NULL};
    struct instruction_window window;
    ck_assert_uint_eq(instructions_find(&text, &window, 1), 0);
}
END_TEST

static struct detrun_memory *memory(void)
{
    struct detrun_memory *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_ptr_ne(m, MAP_FAILED);
    return m;
}

START_TEST(what_was_found_is_kept)
{
    struct detrun_memory *m = memory();
    const struct detrun_window *windows;
    unsigned count;
    struct detrun_window two[2] = {{.start = 5, .length = 6}, {.start = 50, .length = 7}};
    ck_assert(!searched_find(m, 17, &windows, &count));
    searched_keep(m, 17, two, 2);
    searched_keep(m, 18, NULL, 0);
    ck_assert(searched_find(m, 17, &windows, &count) && count == 2 && windows[1].start == 50);
    ck_assert(searched_find(m, 18, &windows, &count) && count == 0);
    ck_assert_uint_eq(m->shared.searched, 2);
}
END_TEST

START_TEST(full_tables_keep_what_they_have)
{
    struct detrun_memory *m = memory();
    const struct detrun_window *windows;
    unsigned count;
    static struct detrun_window many[1000];
    for (uint64_t key = 1; key <= 2 * DETRUN_SEARCHED; key++)
        searched_keep(m, key, many, key == 1 ? 7 : 0);
    ck_assert(searched_find(m, 1, &windows, &count) && count == 7);
    ck_assert_uint_eq(m->shared.searched, DETRUN_SEARCHED);
    struct detrun_memory *other = memory();
    for (uint64_t key = 1; key < 10; key++)
        searched_keep(other, key, many, 1000);
    ck_assert(searched_find(other, 4, &windows, &count) && count == 1000);
    ck_assert(!searched_find(other, 5, &windows, &count));
}
END_TEST

START_TEST(keys_differ_by_build_and_size)
{
    static const uint8_t a[20] = {1};
    static const uint8_t b[20] = {1, 2};
    ck_assert_uint_ne(searched_key(a, 20, 5), searched_key(b, 20, 5));
    ck_assert_uint_ne(searched_key(a, 20, 5), searched_key(a, 20, 6));
    ck_assert_uint_eq(searched_key(a, 20, 5), searched_key(a, 20, 5));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("instructions");
    TCase *tests = tcase_create("instructions");
    tcase_add_loop_test(tests, lengths_are_those_of_the_manual, 0,
                        sizeof(samples) / sizeof(samples[0]));
    tcase_add_test(tests, what_depends_on_its_place_is_seen);
    tcase_add_test(tests, rdpid_is_not_rdseed);
    tcase_add_test(tests, without_functions_nothing_is_found);
    tcase_add_test(tests, what_was_found_is_kept);
    tcase_add_test(tests, full_tables_keep_what_they_have);
    tcase_add_test(tests, keys_differ_by_build_and_size);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
