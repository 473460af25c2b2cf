/* SPDX-License-Identifier: MIT */
/*
 * Build-time tool: the seccomp program of the trapped rows of calls.def, as C source.
 *
 * Two variants come out, without and with --trap-open. Nothing may kill: a foreign architecture
 * runs on, uncontrolled and named. It is kept small, since the kernel translates it at the start of
 * each job, and looks at numbers first, so that the kernel knows without running it which calls
 * always pass.
 *
 * Jumps only go forward, so the program is written from its end: what a jump leads to is there
 * before the jump. A place is an instruction's distance from the end; what is written next is run
 * before what was written last.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "detrun/abi.h"
#include "detrun/calls_doors.h"

#define ARCH_SET_FS_CODE 0x1002
#define MAX_INSTRUCTIONS 1024
#define SIGN_BIT         0x80000000

typedef unsigned place;

/* Calls with consecutive numbers and one test. */
struct run {
    int first;
    int last;
    unsigned test;
};

static struct {
    struct sock_filter code[MAX_INSTRUCTIONS]; /**< the last first */
    unsigned count;
    place allow;
    place notify;
} program;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "filter_gen: %s\n", what);
    exit(1);
}

static place put(unsigned code, uint32_t k, unsigned jump_true, unsigned jump_false)
{
    if (program.count == MAX_INSTRUCTIONS || jump_true > UINT8_MAX || jump_false > UINT8_MAX)
        die("the program is too long");
    program.code[program.count] =
        (struct sock_filter){(uint16_t)code, (uint8_t)jump_true, (uint8_t)jump_false, k};
    return program.count++;
}

static place put_return(uint32_t action)
{
    return put(BPF_RET | BPF_K, action, 0, 0);
}

/* Goes on with what was written last. */
static place put_load(size_t offset)
{
    return put(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static place put_jump(unsigned compare, uint32_t k, place if_true, place if_false)
{
    return put(BPF_JMP | BPF_K | compare, k, program.count - 1 - if_true,
               program.count - 1 - if_false);
}

static place load_low(unsigned argument)
{
    return put_load(offsetof(struct seccomp_data, args) + 8 * argument);
}

static place load_high(unsigned argument)
{
    return put_load(offsetof(struct seccomp_data, args) + 8 * argument + 4);
}

static place compare_64(unsigned argument, uint64_t value, place if_equal, place if_not)
{
    put_jump(BPF_JEQ, (uint32_t)(value >> 32), if_equal, if_not);
    place high = load_high(argument);
    put_jump(BPF_JEQ, (uint32_t)value, high, if_not);
    return load_low(argument);
}

static place always(unsigned argument)
{
    (void)argument;
    return program.notify;
}

static place not_passed(unsigned argument)
{
    return compare_64(argument, DETRUN_PASS, program.allow, program.notify);
}

static place pointer(unsigned argument)
{
    return compare_64(argument, 0, program.allow, program.notify);
}

/* The upper half of the register is undefined where the kernel takes an int. */
static place compare_int(unsigned argument, uint32_t value)
{
    put_jump(BPF_JEQ, value, program.notify, program.allow);
    return load_low(argument);
}

static place set_fs(unsigned argument)
{
    return compare_int(argument, ARCH_SET_FS_CODE);
}

static place private(unsigned argument)
{
    return compare_int(argument, DETRUN_OPTION);
}

static place pid_or(unsigned argument, place if_not)
{
    place below_end = put_jump(BPF_JGE, DETRUN_VPID_END, if_not, program.notify);
    place absolute = put_jump(BPF_JGE, DETRUN_VPID_FIRST, below_end, if_not);
    place negative = put(BPF_ALU | BPF_NEG, 0, 0, 0);
    put_jump(BPF_JGE, SIGN_BIT, negative, absolute);
    return load_low(argument);
}

static place pid(unsigned argument)
{
    return pid_or(argument, program.allow);
}

static place two_pids(unsigned argument)
{
    return pid_or(argument, pid(argument + 1));
}

/* An int above 0. poll(..., 0) stays free. */
static place timeout_ms(unsigned argument)
{
    place not_negative = put_jump(BPF_JEQ, 0, program.allow, program.notify);
    put_jump(BPF_JGE, SIGN_BIT, program.allow, not_negative);
    return load_low(argument);
}

static place timed_futex(unsigned argument)
{
    static const uint32_t operations[] = {FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET,
                                          FUTEX_WAIT_REQUEUE_PI, FUTEX_LOCK_PI2};
    place with_timeout = not_passed(argument + 3);
    place waits = compare_64(argument + 2, 0, program.allow, with_timeout);
    place next = program.allow;
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
        next = put_jump(BPF_JEQ, operations[i], waits, next);
    put(BPF_ALU | BPF_AND | BPF_K, 127, 0, 0);
    return load_low(argument);
}

static const struct {
    place (*put)(unsigned argument);
    unsigned argument;
} tests[] = {
    [CALLS_IF_NONE] = {always, 0},
    [CALLS_IF_PASS] = {not_passed, 5},
    [CALLS_IF_PID_0] = {pid, 0},
    [CALLS_IF_PID_1] = {pid, 1},
    [CALLS_IF_PID_0_OR_1] = {two_pids, 0},
    [CALLS_IF_TIMEOUT_MS_2] = {timeout_ms, 2},
    [CALLS_IF_TIMEOUT_MS_3] = {timeout_ms, 3},
    [CALLS_IF_POINTER_2] = {pointer, 2},
    [CALLS_IF_POINTER_4] = {pointer, 4},
    [CALLS_IF_TIMED_FUTEX] = {timed_futex, 1},
    [CALLS_IF_SET_FS] = {set_fs, 0},
    [CALLS_IF_PRIVATE] = {private, 0},
    [CALLS_IF_TRAP_OPEN] = {always, 0},
};

#define TESTS (sizeof(tests) / sizeof(tests[0]))

static place put_run(const struct run *run, place test)
{
    if (run->first == run->last)
        return put_jump(BPF_JEQ, (uint32_t)run->first, test, program.allow);
    place reached = put_jump(BPF_JGT, (uint32_t)run->last, program.allow, test);
    return put_jump(BPF_JGE, (uint32_t)run->first, reached, program.allow);
}

static place put_tree(const struct run *runs, size_t n, const place *places)
{
    if (n == 1)
        return put_run(runs, places[runs->test]);
    place upper = put_tree(runs + n / 2, n - n / 2, places);
    place lower = put_tree(runs, n / 2, places);
    return put_jump(BPF_JGE, (uint32_t)runs[n / 2].first, upper, lower);
}

static struct run rows[] = {
#define CALL(name, ret, n, args, doors, ...) {SYS_##name, SYS_##name, (doors)},
#define CALL_KERNEL                          CALL
#define CALL_NOTIFY                          CALL
#include "detrun/calls.def"
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int by_number(const void *a, const void *b)
{
    return ((const struct run *)a)->first - ((const struct run *)b)->first;
}

/* @return how many runs of the rows, which stand in order, are trapped */
static size_t find_runs(bool trap_open, struct run *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        unsigned doors = rows[i].test;
        unsigned test = CALLS_TEST(doors);
        if (!CALLS_TRAPPED(doors) || (test == CALLS_IF_TRAP_OPEN && !trap_open))
            continue;
        if (test >= TESTS)
            die("a test of calls_doors.h without instructions");
        if (n > 0 && runs[n - 1].last == rows[i].first)
            die("two rows with one number");
        if (n > 0 && runs[n - 1].last + 1 == rows[i].first && runs[n - 1].test == test)
            runs[n - 1].last++;
        else
            runs[n++] = (struct run){rows[i].first, rows[i].last, test};
    }
    return n;
}

static void build(bool trap_open)
{
    static struct run runs[ROWS];
    size_t n = find_runs(trap_open, runs);
    place places[TESTS];
    program.count = 0;
    program.allow = put_return(SECCOMP_RET_ALLOW);
    program.notify = put_return(SECCOMP_RET_USER_NOTIF);
    for (size_t i = 0; i < TESTS; i++)
        places[i] = tests[i].put(tests[i].argument);
    put_tree(runs, n, places);
    place number = put_load(offsetof(struct seccomp_data, nr));
    put_jump(BPF_JEQ, AUDIT_ARCH_X86_64, number, program.allow);
    put_load(offsetof(struct seccomp_data, arch));
}

static void emit(bool trap_open, const char *name)
{
    build(trap_open);
    printf("\nstatic const struct sock_filter %s[%u] = {\n", name, program.count);
    for (unsigned i = program.count; i-- > 0;)
        printf("    {0x%02x, %u, %u, 0x%08x},\n", program.code[i].code, program.code[i].jt,
               program.code[i].jf, program.code[i].k);
    printf("};\n");
}

int main(void)
{
    qsort(rows, ROWS, sizeof(rows[0]), by_number);
    printf("/* Made by filter_gen from calls.def. */\n#include \"filter.h\"\n");
    emit(false, "plain");
    emit(true, "trap_open");
    printf("\nconst struct filter_program filter_programs[2] = {\n"
           "    {plain, sizeof(plain) / sizeof(plain[0])},\n"
           "    {trap_open, sizeof(trap_open) / sizeof(trap_open[0])},\n};\n");
    return 0;
}
