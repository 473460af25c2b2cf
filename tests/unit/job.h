/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A job memory for the tests of shim/core, and the way each test program runs.
 */
#ifndef DETRUN_TESTS_JOB_H
#define DETRUN_TESTS_JOB_H

#include <check.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "detrun/abi.h"
#include "lineage.h"

#define JOB_STEP_NS  UINT64_C(16000000)
#define JOB_REAL_PID 100

/** Zeroed, sparse, shared with forks; the parameters of the defaults. */
static inline struct detrun_memory *job_new(void)
{
    struct detrun_memory *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_ptr_ne(m, MAP_FAILED);
    m->params.magic = DETRUN_ABI_MAGIC;
    m->params.version = DETRUN_ABI_VERSION;
    m->params.size = sizeof(*m);
    m->params.epoch_ns = DETRUN_DEFAULT_EPOCH_NS;
    m->params.mono_start_ns = (int64_t)DETRUN_MONOTONIC_START_NS;
    m->params.step_ns[DETRUN_FAMILY_WALL] = JOB_STEP_NS;
    for (unsigned i = 0; i < sizeof(m->params.key); i++)
        m->params.key[i] = (uint8_t)(i * 7 + 1);
    return m;
}

static inline void job_free(struct detrun_memory *m)
{
    munmap(m, sizeof(*m));
}

static inline int job_run(const char *name, const TTest *const *tests, size_t n)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 60);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define JOB_MAIN(name, ...)                                                                        \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return job_run(name, tests, sizeof(tests) / sizeof(tests[0]));                             \
    }

#endif
