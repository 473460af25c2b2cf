/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The present test of the process and its present iteration.
 */
#ifndef DETRUN_LIB_TEST_H
#define DETRUN_LIB_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct named_value {
    char *name;
    char *text;
};

struct host_call {
    char *host;
    char *text;
    bool ok;
};

struct test {
    char *name; /**< NULL: none has begun */
    int error;  /**< why the last one that was to begin has not; or 0 */
    uint64_t job_seed;
    uint64_t seed;
    uint64_t current_seed;   /**< of the iteration, or the test's */
    uint64_t given_examples; /**< 0: the run was given none */
    uint64_t examples;       /**< 0: no limit */
    uint64_t only;           /**< the one iteration that is to be run; 0: all */
    bool skipped;            /**< another test's iteration is to be run alone */
    uint64_t repeat;         /**< of detrun repeat; 0: none */
    uint64_t last;           /**< number of the last iteration that began */
    uint64_t iteration;      /**< that is going on; 0: none */
    uint64_t call_count;     /**< of the iteration, or the test outside of one */
    void *stages;            /**< tree of counts by name */
    struct named_value *values;
    size_t values_length;
    struct host_call *calls;
    size_t calls_length;
};

/** The process's, locked until test_release(). */
struct test *test_hold(void);
void test_release(struct test **test);

/** As test_hold(), and one has begun: the run's own if no other. @return NULL: see error */
struct test *test_hold_begun(int *error);

#define AUTO_TEST __attribute__((cleanup(test_release)))

/** Another test begins. @param rekey false: the streams stay as they are */
int test_start(struct test *t, const char *name, bool rekey);

/** How many stages of that name there were in this test, and one more. @return 0 or -ENOMEM */
int test_count_stage(struct test *t, const char *name, uint64_t *index);

/** Values and calls of an iteration that is over. */
void test_forget_iteration(struct test *t);

#endif
