/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "detrun.h"
#include "iteration_record.h"
#include "operations.h"
#include "seed.h"
#include "surroundings.h"
#include "test.h"

uint64_t detrun_max_examples(uint64_t default_number)
{
    int error;
    AUTO_TEST struct test *t = test_hold_begun(&error);
    if (!t)
        return default_number;
    t->examples = t->given_examples ? t->given_examples : default_number;
    return t->examples;
}

/* @return 0: there is none left */
static uint64_t next_number(const struct test *t)
{
    if (t->skipped)
        return 0;
    if (t->only)
        return t->last ? 0 : t->only;
    return t->examples && t->last >= t->examples ? 0 : t->last + 1;
}

static uint64_t seed_of_iteration(uint64_t test_seed, uint64_t number)
{
    char name[48];
    struct job_seed seed = {SEED_BE8, test_seed, NULL};
    snprintf(name, sizeof(name), "detrun:iteration:%" PRIu64, number);
    return seed_for_test(&seed, name);
}

/* 0 would say that all iterations have been run, and the test that ran none would pass. */
static _Noreturn void give_up(int error)
{
    struct surroundings s;
    fputs("libdetrun: no iteration can be run: ", stderr);
    if (surroundings_read(&s) != 0)
        fprintf(stderr, "%s: \"%s\" is bad; give %s\n", s.bad, getenv(s.bad), s.give);
    else
        fprintf(stderr, "no test has begun: %s\n", strerror(-error));
    exit(DETRUN_EXIT_FAILED);
}

uint64_t detrun_iteration_begin(void)
{
    int error;
    AUTO_TEST struct test *t = test_hold_begun(&error);
    if (!t)
        give_up(error);
    uint64_t number = next_number(t);
    test_forget_iteration(t);
    if (number == 0)
        return 0;
    t->last = t->iteration = number;
    t->current_seed = seed_of_iteration(t->seed, number);
    operation_begin(t->current_seed);
    return number;
}

/* @return the pair of that name, a new one if need be; NULL: out of memory */
static struct named_value *find_value(struct test *t, const char *name)
{
    for (size_t i = 0; i < t->values_length; i++)
        if (strcmp(t->values[i].name, name) == 0)
            return &t->values[i];
    struct named_value *values = realloc(t->values, (t->values_length + 1) * sizeof(*values));
    if (!values)
        return NULL;
    t->values = values;
    values += t->values_length;
    *values = (struct named_value){strdup(name), NULL};
    if (!values->name)
        return NULL;
    t->values_length++;
    return values;
}

int detrun_value(const char *name, const char *text)
{
    if (!name || !text)
        return -EINVAL;
    AUTO_TEST struct test *t = test_hold();
    if (!t->iteration)
        return -EINVAL;
    char *copy = strdup(text);
    struct named_value *value = copy ? find_value(t, name) : NULL;
    if (!value) {
        free(copy);
        return -ENOMEM;
    }
    free(value->text);
    value->text = copy;
    return 0;
}

/* Kept for the failure that may come of it. */
static int keep_call(struct test *t, const char *host, const char *text, bool ok)
{
    struct host_call *calls = realloc(t->calls, (t->calls_length + 1) * sizeof(*calls));
    if (!calls)
        return -ENOMEM;
    t->calls = calls;
    struct host_call call = {strdup(host), strdup(text), ok};
    if (call.host && call.text) {
        calls[t->calls_length++] = call;
        return 0;
    }
    free(call.host);
    free(call.text);
    return -ENOMEM;
}

int detrun_call(const char *host, const char *text, int ok)
{
    int error;
    if (!host || !text)
        return -EINVAL;
    AUTO_TEST struct test *t = test_hold_begun(&error);
    struct host_call call = {(char *)(uintptr_t)host, (char *)(uintptr_t)text, ok != 0};
    if (!t)
        return error;
    if (t->iteration)
        error = keep_call(t, host, text, ok != 0);
    if (error)
        return error;
    uint64_t index = t->call_count++;
    return operation_has_record() ? record_call(t, &call, index) : 0;
}

int detrun_iteration_end(int result, uint64_t shrinks_attempted, const char *reason)
{
    if (result < DETRUN_PASSED || result > DETRUN_SKIPPED)
        return -EINVAL;
    AUTO_TEST struct test *t = test_hold();
    if (!t->iteration)
        return -EINVAL;
    int error = 0;
    if (operation_has_record()) {
        bool failed = result == DETRUN_FAILED || result == DETRUN_ERRORED;
        error = record_iteration(t, result, shrinks_attempted);
        int other = failed ? record_failure(t, shrinks_attempted, reason) : 0;
        error = error ? error : other;
    }
    test_forget_iteration(t);
    t->current_seed = t->seed;
    return error;
}
