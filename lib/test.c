/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "detrun.h"
#include "operations.h"
#include "surroundings.h"

struct stage_count {
    char *name;
    uint64_t count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct test present;

struct test *test_hold(void)
{
    pthread_mutex_lock(&lock);
    return &present;
}

void test_release(struct test **test)
{
    if (*test)
        pthread_mutex_unlock(&lock);
}

static int compare_stages(const void *a, const void *b)
{
    return strcmp(((const struct stage_count *)a)->name, ((const struct stage_count *)b)->name);
}

static void free_stage(void *stage)
{
    free(((struct stage_count *)stage)->name);
    free(stage);
}

int test_count_stage(struct test *t, const char *name, uint64_t *index)
{
    struct stage_count key = {(char *)(uintptr_t)name, 0};
    struct stage_count **found = tfind(&key, &t->stages, compare_stages);
    if (found) {
        *index = (*found)->count++;
        return 0;
    }
    struct stage_count *stage = malloc(sizeof(*stage));
    char *copy = strdup(name);
    if (stage && copy) {
        *stage = (struct stage_count){copy, 1};
        *index = 0;
        if (tsearch(stage, &t->stages, compare_stages))
            return 0;
    }
    free(stage);
    free(copy);
    return -ENOMEM;
}

void test_forget_iteration(struct test *t)
{
    for (size_t i = 0; i < t->values_length; i++) {
        free(t->values[i].name);
        free(t->values[i].text);
    }
    for (size_t i = 0; i < t->calls_length; i++) {
        free(t->calls[i].host);
        free(t->calls[i].text);
    }
    free(t->values);
    free(t->calls);
    t->values = NULL;
    t->calls = NULL;
    t->values_length = t->calls_length = 0;
    t->call_count = 0;
    t->iteration = 0;
}

static void forget(struct test *t)
{
    test_forget_iteration(t);
    tdestroy(t->stages, free_stage);
    free(t->name);
    *t = (struct test){0};
}

/* What the run calls itself, as the launcher does where no name is given. */
static const char *name_of_run(const struct surroundings *s)
{
    const char *name = getenv(DETRUN_ENV_TEST_NAME);
    if (s->info.size)
        return s->info.test_name;
    return name ? name : program_invocation_short_name;
}

static int fill(struct test *t, const char *name, const struct surroundings *s)
{
    t->name = strdup(name ? name : name_of_run(s));
    if (!t->name)
        return -ENOMEM;
    t->job_seed = s->of_job.number;
    t->seed = seed_for_test(&s->of_job, t->name);
    t->current_seed = t->seed;
    t->given_examples = s->max_examples;
    t->examples = s->max_examples;
    t->repeat = s->info.iteration;
    t->only = s->only_iteration;
    t->skipped = s->only_test && strcmp(s->only_test, t->name) != 0;
    return 0;
}

int test_start(struct test *t, const char *name, bool rekey)
{
    struct surroundings s;
    forget(t);
    t->error = surroundings_read(&s);
    if (!t->error)
        t->error = fill(t, name, &s);
    return t->error || !rekey ? t->error : operation_begin(t->seed);
}

struct test *test_hold_begun(int *error)
{
    AUTO_TEST struct test *t = test_hold();
    *error = t->name || t->error ? t->error : test_start(t, NULL, false);
    struct test *result = *error ? NULL : t;
    if (result)
        t = NULL;
    return result;
}

int detrun_test_begin(const char *name)
{
    AUTO_TEST struct test *t = test_hold();
    if (name)
        return test_start(t, name, true);
    forget(t);
    return t->error = -EINVAL;
}

uint64_t detrun_current_seed(void)
{
    int error;
    AUTO_TEST struct test *t = test_hold_begun(&error);
    return t ? t->current_seed : 0;
}
