/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "bpf.h"

#define RUN(...)                                                                                   \
    bpf_run((const struct sock_filter[]){__VA_ARGS__},                                             \
            sizeof((const struct sock_filter[]){__VA_ARGS__}) / sizeof(struct sock_filter), &data)

static const struct seccomp_data data = {
    .nr = 39,
    .arch = 0xc000003e,
    .args = {UINT64_C(0x1122334455667788), 0, 0, 0, 0, 9},
};

START_TEST(a_word_of_the_call_is_loaded)
{
    const struct sock_filter give = BPF_STMT(BPF_RET | BPF_A, 0);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), give), 39);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4), give), 0xc000003e);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 16), give), 0x55667788);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 20), give), 0x11223344);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 56), give), 9);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), give), sizeof(data));
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_IMM, 5), give), 5);
}
END_TEST

static const struct {
    unsigned short code;
    uint32_t a;
    uint32_t b;
    uint32_t result;
} arithmetic[] = {
    {BPF_ADD, 7, 3, 10}, {BPF_SUB, 3, 7, 0xfffffffc}, {BPF_MUL, 7, 3, 21}, {BPF_DIV, 7, 3, 2},
    {BPF_AND, 6, 3, 2},  {BPF_OR, 6, 3, 7},           {BPF_XOR, 6, 3, 5},  {BPF_LSH, 6, 3, 48},
    {BPF_RSH, 48, 3, 6}, {BPF_NEG, 1, 0, UINT32_MAX},
};

START_TEST(arithmetic_is_that_of_the_kernel)
{
    unsigned short code = BPF_ALU | arithmetic[_i].code;
    uint32_t a = arithmetic[_i].a;
    uint32_t b = arithmetic[_i].b;
    ck_assert_uint_eq(
        RUN(BPF_STMT(BPF_LD | BPF_IMM, a), BPF_STMT(code | BPF_K, b), BPF_STMT(BPF_RET | BPF_A, 0)),
        arithmetic[_i].result);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LDX | BPF_IMM, b), BPF_STMT(BPF_LD | BPF_IMM, a),
                          BPF_STMT(code | BPF_X, 0), BPF_STMT(BPF_RET | BPF_A, 0)),
                      arithmetic[_i].result);
}
END_TEST

static const struct {
    unsigned short code;
    uint32_t value;
    uint32_t result;
} jumps[] = {
    {BPF_JEQ, 39, 1}, {BPF_JEQ, 40, 2}, {BPF_JGT, 38, 1}, {BPF_JGT, 39, 2},
    {BPF_JGE, 39, 1}, {BPF_JGE, 40, 2}, {BPF_JSET, 1, 1}, {BPF_JSET, 8, 2},
};

START_TEST(jumps_are_taken_by_their_test)
{
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                          BPF_JUMP(BPF_JMP | jumps[_i].code | BPF_K, jumps[_i].value, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, 1), BPF_STMT(BPF_RET | BPF_K, 2)),
                      jumps[_i].result);
}
END_TEST

START_TEST(jumps_without_test_are_taken)
{
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_JMP | BPF_JA, 1), BPF_STMT(BPF_RET | BPF_K, 1),
                          BPF_STMT(BPF_RET | BPF_K, 2)),
                      2);
}
END_TEST

START_TEST(memory_and_registers_keep_values)
{
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_IMM, 5), BPF_STMT(BPF_ST, 3),
                          BPF_STMT(BPF_LD | BPF_IMM, 0), BPF_STMT(BPF_LDX | BPF_MEM, 3),
                          BPF_STMT(BPF_MISC | BPF_TXA, 0), BPF_STMT(BPF_RET | BPF_A, 0)),
                      5);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_IMM, 6), BPF_STMT(BPF_MISC | BPF_TAX, 0),
                          BPF_STMT(BPF_STX, 15), BPF_STMT(BPF_LD | BPF_IMM, 0),
                          BPF_STMT(BPF_LD | BPF_MEM, 15), BPF_STMT(BPF_RET | BPF_A, 0)),
                      6);
}
END_TEST

START_TEST(what_the_kernel_would_not_load_kills)
{
    ck_assert_uint_eq(bpf_run(NULL, 0, &data), SECCOMP_RET_KILL_PROCESS);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_LD | BPF_IMM, 5)), SECCOMP_RET_KILL_PROCESS);
    ck_assert_uint_eq(RUN(BPF_STMT(BPF_JMP | BPF_JA, 0xffffffff), BPF_STMT(BPF_RET | BPF_K, 1)),
                      SECCOMP_RET_KILL_PROCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bpf");
    TCase *tc = tcase_create("run");
    tcase_add_test(tc, a_word_of_the_call_is_loaded);
    tcase_add_loop_test(tc, arithmetic_is_that_of_the_kernel, 0,
                        sizeof(arithmetic) / sizeof(arithmetic[0]));
    tcase_add_loop_test(tc, jumps_are_taken_by_their_test, 0, sizeof(jumps) / sizeof(jumps[0]));
    tcase_add_test(tc, jumps_without_test_are_taken);
    tcase_add_test(tc, memory_and_registers_keep_values);
    tcase_add_test(tc, what_the_kernel_would_not_load_kills);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
