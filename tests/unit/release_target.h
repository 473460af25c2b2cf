/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Processes that wait, for the tests of launcher/release.c.
 */
#ifndef DETRUN_TESTS_RELEASE_TARGET_H
#define DETRUN_TESTS_RELEASE_TARGET_H

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "real.h"
#include "release.h"

#define LONG_WAIT_S 100
#define LOOK_NS     200000

/** Shared by the test and its target. */
struct target {
    pid_t pid;
    _Atomic int tid;
    _Atomic int over;
    _Atomic int stop;
    _Atomic int numbers[8];
    int descriptors[4];
    _Atomic unsigned word;
    long value; /**< what the wait returned, or -errno */
    bool sound; /**< and left in memory what a time-out leaves */
};

struct target_start {
    struct target *target;
    void (*run)(struct target *t);
};

static inline struct target *target_new(void)
{
    struct target *t =
        mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(t, MAP_FAILED);
    t->sound = true;
    return t;
}

static inline void *target_main(void *data)
{
    struct target_start *start = data;
    start->target->tid = (int)syscall(SYS_gettid);
    start->run(start->target);
    start->target->over = 1;
    return NULL;
}

/** Start a process whose leader, or else a second thread, runs it. */
static inline void target_start(struct target *t, void (*run)(struct target *), bool threaded)
{
    t->tid = 0;
    t->over = 0;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid != 0) {
        t->pid = pid;
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct target_start start = {t, run};
    pthread_t thread;
    if (!threaded)
        target_main(&start);
    else if (pthread_create(&thread, NULL, target_main, &start) != 0 ||
             pthread_join(thread, NULL) != 0)
        _exit(1);
    _exit(0);
}

static inline long result_of(long value)
{
    return value < 0 ? -errno : value;
}

static inline long target_call(int tid)
{
    char path[64], text[64] = "";
    snprintf(path, sizeof(path), "/proc/%d/syscall", tid);
    FILE *file = fopen(path, "r");
    bool read = file && fgets(text, sizeof(text), file);
    if (file)
        fclose(file);
    return read && text[0] != 'r' ? strtol(text, NULL, 10) : -1;
}

/** Until its thread sleeps in the call. @return false: its process has ended instead */
static inline bool target_await_call(struct target *t, long number)
{
    while (t->tid == 0 || target_call(t->tid) != number || process_state(t->tid) != 'S') {
        if (process_state(t->pid) == 'Z')
            return false;
        real_pause(LOOK_NS);
    }
    return true;
}

static inline void target_await_state(struct target *t, char state)
{
    while (process_state(t->tid) != state)
        real_pause(LOOK_NS);
}

/** @return its wait(2) status */
static inline int target_end(struct target *t)
{
    int status = -1;
    ck_assert_int_eq(waitpid(t->pid, &status, 0), t->pid);
    return status;
}

static inline void target_kill(struct target *t)
{
    kill(t->pid, SIGKILL);
    target_end(t);
    munmap(t, sizeof(*t));
}

static inline int target_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
