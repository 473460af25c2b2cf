/* SPDX-License-Identifier: MIT */
#include "surroundings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"
#include "values.h"

#define ENV_ENCODING       "DETRUN_SEED_ENCODING"
#define ENV_MAX_EXAMPLES   "DETRUN_MAX_EXAMPLES"
#define ENV_ONLY_ITERATION "DETRUN_ONLY_ITERATION"

/* Of several bad ones the first is named. */
static void check(struct surroundings *s, const char *name, bool good, const char *give)
{
    if (good || s->bad)
        return;
    s->bad = name;
    s->give = give;
}

static void read_number(struct surroundings *s, const char *name, uint64_t *number)
{
    const char *text = getenv(name);
    check(s, name, !text || value_u64(text, number), "a whole number");
}

static void read_boolean(struct surroundings *s, const char *name, bool *value)
{
    const char *text = getenv(name);
    check(s, name, !text || value_boolean(text, value), "1 or 0");
}

static bool read_encoding(enum seed_encoding *encoding)
{
    const char *text = getenv(ENV_ENCODING);
    for (int i = 0; text && i < SEED_ENCODINGS; i++)
        if (strcmp(text, seed_encoding_names[i]) == 0) {
            *encoding = (enum seed_encoding)i;
            return true;
        }
    return !text;
}

static void read_seed(struct surroundings *s, const char *text)
{
    struct job_seed *seed = &s->seed;
    *seed = (struct job_seed){0};
    check(s, ENV_ENCODING, read_encoding(&seed->encoding), "be8, dec, hex or text");
    if (seed->encoding == SEED_TEXT) {
        seed->text = text;
        seed->number = seed_number_of_text(text);
    } else {
        check(s, DETRUN_ENV_SEED, value_u64(text, &seed->number),
              "a whole number from 0 to 18446744073709551615");
    }
}

/* The launcher writes the number of any seed into the environment: that one is the job's own. */
static bool is_of_job(const char *text, const struct job_seed *job)
{
    uint64_t number;
    return value_u64(text, &number) && number == job->number;
}

static void choose_seeds(struct surroundings *s, bool in_job)
{
    const char *text = getenv(DETRUN_ENV_SEED);
    if (in_job) {
        s->of_job.encoding = (enum seed_encoding)s->info.seed_encoding;
        s->of_job.number = s->info.job_seed;
        s->of_job.text = s->info.seed_text;
        s->seed = s->of_job;
    }
    s->has_seed = in_job || text;
    if (text && !(in_job && is_of_job(text, &s->of_job)))
        read_seed(s, text);
    if (!in_job)
        s->of_job = s->seed;
}

/* As DETRUN_MAX_EXAMPLES, a number; from 1, and perhaps with a name. */
static bool read_iteration(struct surroundings *s, const char *text)
{
    char number[32];
    size_t digits = strspn(text, "0123456789");
    bool named = text[digits] == ':' && text[digits + 1];
    if (digits >= sizeof(number) || (text[digits] && !named))
        return false;
    memcpy(number, text, digits);
    number[digits] = '\0';
    s->only_test = named ? text + digits + 1 : NULL;
    return value_u64(number, &s->only_iteration) && s->only_iteration != 0;
}

static void choose_iteration(struct surroundings *s)
{
    const char *text = getenv(ENV_ONLY_ITERATION);
    s->only_iteration = s->info.only_iteration;
    if (text && !s->only_iteration)
        check(s, ENV_ONLY_ITERATION, read_iteration(s, text), "I or I:TEST, I from 1");
}

int surroundings_read(struct surroundings *s)
{
    *s = (struct surroundings){0};
    bool in_job = operation_info(&s->info) == 0;
    s->deterministic = in_job;
    s->step_ms = (in_job ? s->info.step_ns : DETRUN_DEFAULT_STEP_NS) / 1000000;
    read_boolean(s, DETRUN_ENV_DETERMINISTIC, &s->deterministic);
    read_number(s, DETRUN_ENV_STEP, &s->step_ms);
    read_number(s, ENV_MAX_EXAMPLES, &s->max_examples);
    choose_seeds(s, in_job);
    choose_iteration(s);
    if (in_job && s->info.max_examples)
        s->max_examples = s->info.max_examples;
    return s->bad ? -EINVAL : 0;
}
