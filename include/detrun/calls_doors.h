/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The words of the doors column of calls.def, as numbers that a preprocessor and a generator can
 * select on. Include it only where the table is read: the names are short.
 */
#ifndef DETRUN_CALLS_DOORS_H
#define DETRUN_CALLS_DOORS_H

#define SYMBOL          1
#define VDSO            2
#define SITE            4
#define ENTRY           8
#define NOTIFY          16
/** Trapped only when an argument passes a test. */
#define NOTIFY_IF(test) (32 | (CALLS_IF_##test) << 8)

/** None but syscall(), which every row with a number has. */
#define BY_NUMBER 0

/** The handler itself counts what it answers: most of its calls are none of our business. */
#define SELF_COUNTED 64

/** A SITE that is armed when the program comes near /proc or gets a filter of its own, not with the
 * others. */
#define LATE 128

/** Trapped only in the filter of a run with that option. */
#define WITH(option) ((CALLS_WITH_##option) << 16)

/** Any door through which the supervisor is asked. */
#define CALLS_TRAPPED(doors) (((doors) & (NOTIFY | 32)) != 0)
#define CALLS_TEST(doors)    (((doors) >> 8) & 255)
#define CALLS_OPTIONS(doors) (((doors) >> 16) & 255)

/**
 * Tests on arguments. PID_n: argument n, taken as an int, or its negative, is a virtual id.
 * TIMEOUT_MS_n: argument n, as an int, is above 0. POINTER_n: argument n is not NULL.
 */
enum calls_test {
    CALLS_IF_NONE,
    CALLS_IF_PASS, /**< the sixth argument is not DETRUN_PASS */
    CALLS_IF_PID_0,
    CALLS_IF_PID_1,
    CALLS_IF_PID_0_OR_1,
    CALLS_IF_TIMEOUT_MS_2,
    CALLS_IF_TIMEOUT_MS_3,
    CALLS_IF_POINTER_2,
    CALLS_IF_POINTER_3,
    CALLS_IF_POINTER_4,
    CALLS_IF_OWN_3, /**< argument 3 is not NULL, the sixth not DETRUN_PASS */
    CALLS_IF_OWN_4, /**< argument 4 is not NULL, the sixth without the upper half of DETRUN_PASS */
    CALLS_IF_TIMED_FUTEX, /**< a wait with a timeout, the fifth argument not DETRUN_PASS */
    CALLS_IF_SET_FS,      /**< the first argument is ARCH_SET_FS */
    CALLS_IF_PRIVATE,     /**< the first argument is DETRUN_OPTION */
};

/** Bits of a filter. */
enum calls_option {
    CALLS_WITH_OPEN = 1,     /**< --trap-open */
    CALLS_WITH_NETWORK = 2,  /**< --network local or none */
    CALLS_WITH_GETDENTS = 4, /**< --trap-getdents */
    CALLS_FILTERS = 8        /**< one for each set of them */
};

#endif
