/* SPDX-License-Identifier: MIT */
/*
 * Build-time tool: the seccomp program of the trapped rows of calls.def, as C source.
 *
 * It runs at build time so that `detrun run` neither loads libseccomp nor spends time in it. One
 * comes out for each set of the options that trap more. Nothing may kill: a foreign architecture
 * runs on, uncontrolled and named.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <seccomp.h>

#include "detrun/abi.h"
#include "detrun/calls_doors.h"
#include "detrun/calls_numbers.h"

#define ARCH_SET_FS_CODE 0x1002
#define MAX_INSTRUCTIONS 4096

struct trapped {
    int number;
    unsigned doors;
};

static const struct trapped rows[] = {
#define CALL(name, ret, n, args, doors, ...) {SYS_##name, (doors)},
#define CALL_KERNEL                          CALL
#define CALL_NOTIFY                          CALL
#include "detrun/calls.def"
};

static void die(const char *what, int error)
{
    errno = -error;
    perror(what);
    exit(1);
}

/* libseccomp's own macro leaves a field out. */
static struct scmp_arg_cmp test(unsigned argument, enum scmp_compare compare, uint64_t a,
                                uint64_t b)
{
    return (struct scmp_arg_cmp){argument, compare, a, b};
}

static void add_rule(scmp_filter_ctx ctx, int number, unsigned n, const struct scmp_arg_cmp *tests)
{
    int error = seccomp_rule_add_array(ctx, SCMP_ACT_NOTIFY, number, n, tests);
    if (error && error != -EEXIST)
        die("filter_gen: rule", error);
}

static void add_masked(scmp_filter_ctx ctx, int number, unsigned argument, uint64_t mask,
                       uint64_t value)
{
    struct scmp_arg_cmp masked = test(argument, SCMP_CMP_MASKED_EQ, mask, value);
    add_rule(ctx, number, 1, &masked);
}

/* Virtual ids lie in 2^22 .. 2^28-1: the top four bits clear, one of bits 22..27 set. Their
 * negatives have the top four bits set and one of those bits clear. The masks drop the upper half
 * of the register, which an int argument leaves undefined. 2^22 and -2^28 are trapped with them,
 * and answered as the other ids that are nobody's. */
static void add_pid(scmp_filter_ctx ctx, int number, unsigned argument)
{
    const uint64_t top = 0xf0000000;
    for (unsigned bit = 22; bit < 28; bit++) {
        uint64_t mask = top | UINT64_C(1) << bit;
        add_masked(ctx, number, argument, mask, UINT64_C(1) << bit);
        add_masked(ctx, number, argument, mask, top);
    }
}

/* An int above 0: sign bit clear, any other bit set. poll(..., 0) stays free. */
static void add_timeout_ms(scmp_filter_ctx ctx, int number, unsigned argument)
{
    for (unsigned bit = 0; bit < 31; bit++)
        add_masked(ctx, number, argument, 0x80000000 | UINT64_C(1) << bit, UINT64_C(1) << bit);
}

static void add_timed_futex(scmp_filter_ctx ctx, int number, unsigned argument)
{
    static const uint64_t operations[] = {FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET,
                                          FUTEX_WAIT_REQUEUE_PI, FUTEX_LOCK_PI2};
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        struct scmp_arg_cmp tests[] = {
            test(argument, SCMP_CMP_MASKED_EQ, 127, operations[i]),
            test(argument + 2, SCMP_CMP_NE, 0, 0),
            test(argument + 3, SCMP_CMP_NE, DETRUN_PASS, 0),
        };
        add_rule(ctx, number, 3, tests);
    }
}

static void add_compare(scmp_filter_ctx ctx, int number, unsigned argument,
                        enum scmp_compare compare, uint64_t value)
{
    struct scmp_arg_cmp one = test(argument, compare, value, 0);
    add_rule(ctx, number, 1, &one);
}

static void add_always(scmp_filter_ctx ctx, int number, unsigned argument)
{
    (void)argument;
    add_rule(ctx, number, 0, NULL);
}

static void add_not_passed(scmp_filter_ctx ctx, int number, unsigned argument)
{
    add_compare(ctx, number, argument, SCMP_CMP_NE, DETRUN_PASS);
}

static void add_two_pids(scmp_filter_ctx ctx, int number, unsigned argument)
{
    add_pid(ctx, number, argument);
    add_pid(ctx, number, argument + 1);
}

static void add_pointer(scmp_filter_ctx ctx, int number, unsigned argument)
{
    add_compare(ctx, number, argument, SCMP_CMP_NE, 0);
}

static void add_own(scmp_filter_ctx ctx, int number, unsigned argument)
{
    struct scmp_arg_cmp tests[] = {
        test(argument, SCMP_CMP_NE, 0, 0),
        test(5, SCMP_CMP_NE, DETRUN_PASS, 0),
    };
    add_rule(ctx, number, 2, tests);
}

/* The lower half of the sixth argument is a clock's, which is none of more than eight bits. */
static void add_own_clocked(scmp_filter_ctx ctx, int number, unsigned argument)
{
    const uint64_t mark = DETRUN_PASS & ~UINT64_C(0xffffffff);
    struct scmp_arg_cmp below[] = {
        test(argument, SCMP_CMP_NE, 0, 0),
        test(5, SCMP_CMP_LT, mark, 0),
    };
    struct scmp_arg_cmp above[] = {
        test(argument, SCMP_CMP_NE, 0, 0),
        test(5, SCMP_CMP_GT, mark | 0xff, 0),
    };
    add_rule(ctx, number, 2, below);
    add_rule(ctx, number, 2, above);
}

static void add_set_fs(scmp_filter_ctx ctx, int number, unsigned argument)
{
    add_masked(ctx, number, argument, UINT32_MAX, ARCH_SET_FS_CODE);
}

static void add_private(scmp_filter_ctx ctx, int number, unsigned argument)
{
    add_masked(ctx, number, argument, UINT32_MAX, DETRUN_OPTION);
}

static const struct {
    void (*add)(scmp_filter_ctx ctx, int number, unsigned argument);
    unsigned argument;
} rules[] = {
    [CALLS_IF_NONE] = {add_always, 0},
    [CALLS_IF_PASS] = {add_not_passed, 5},
    [CALLS_IF_PID_0] = {add_pid, 0},
    [CALLS_IF_PID_1] = {add_pid, 1},
    [CALLS_IF_PID_0_OR_1] = {add_two_pids, 0},
    [CALLS_IF_TIMEOUT_MS_2] = {add_timeout_ms, 2},
    [CALLS_IF_TIMEOUT_MS_3] = {add_timeout_ms, 3},
    [CALLS_IF_POINTER_2] = {add_pointer, 2},
    [CALLS_IF_POINTER_3] = {add_pointer, 3},
    [CALLS_IF_POINTER_4] = {add_pointer, 4},
    [CALLS_IF_OWN_3] = {add_own, 3},
    [CALLS_IF_OWN_4] = {add_own_clocked, 4},
    [CALLS_IF_TIMED_FUTEX] = {add_timed_futex, 1},
    [CALLS_IF_SET_FS] = {add_set_fs, 0},
    [CALLS_IF_PRIVATE] = {add_private, 0},
};

static void add_row(scmp_filter_ctx ctx, const struct trapped *row, unsigned options)
{
    unsigned test = CALLS_TEST(row->doors);
    if (!CALLS_TRAPPED(row->doors) || (CALLS_OPTIONS(row->doors) & ~options) != 0)
        return;
    if (test >= sizeof(rules) / sizeof(rules[0]) || !rules[test].add)
        die("filter_gen: a test of calls_doors.h without a rule", -EINVAL);
    rules[test].add(ctx, row->number, rules[test].argument);
}

static scmp_filter_ctx build(unsigned options)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    if (!ctx)
        die("filter_gen: init", -ENOMEM);
    int error = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW);
    if (!error)
        error = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (error)
        die("filter_gen: attribute", error);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        add_row(ctx, &rows[i], options);
    return ctx;
}

static void emit(unsigned options)
{
    struct sock_filter program[MAX_INSTRUCTIONS];
    scmp_filter_ctx ctx = build(options);
    int fd = memfd_create("filter", 0);
    int error = fd < 0 ? -errno : seccomp_export_bpf(ctx, fd);
    if (error)
        die("filter_gen: export", error);
    ssize_t size = pread(fd, program, sizeof(program), 0);
    if (size <= 0 || size == (ssize_t)sizeof(program))
        die("filter_gen: size", -E2BIG);
    size_t count = (size_t)size / sizeof(program[0]);
    printf("\nstatic const struct sock_filter with_%u[%zu] = {\n", options, count);
    for (size_t i = 0; i < count; i++)
        printf("    {0x%02x, %u, %u, 0x%08x},\n", program[i].code, program[i].jt, program[i].jf,
               program[i].k);
    printf("};\n");
    close(fd);
    seccomp_release(ctx);
}

int main(void)
{
    printf("/* Made by filter_gen from calls.def. */\n#include \"filter.h\"\n");
    for (unsigned options = 0; options < CALLS_FILTERS; options++)
        emit(options);
    printf("\nconst struct filter_program filter_programs[CALLS_FILTERS] = {\n");
    for (unsigned options = 0; options < CALLS_FILTERS; options++)
        printf("    {with_%u, sizeof(with_%u) / sizeof(with_%u[0])},\n", options, options, options);
    printf("};\n");
    return 0;
}
