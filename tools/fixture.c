/* SPDX-License-Identifier: MIT */
/*
 * detrun fixture: the fixture of detrun.h for shells. Each call is a process of its own: what
 * counts is kept in the job.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "message.h"
#include "operations.h"
#include "snapshot.h"
#include "surroundings.h"
#include "ticks.h"
#include "tools.h"
#include "values.h"
#include "words.h"

static const char usage[] =
    "usage: detrun fixture [--default-seed N] PREFIX WHAT [TEST_NAME]\n\n"
    "Prints one answer of the fixture (detrun.h), in a line. WHAT is one of\n\n"
    "  run-id               PREFIX_seedN when deterministic, else PREFIX_PID_SECONDS (the "
    "caller's)\n"
    "  timestamp            T000000, T000001, ... counted in the job; else Unix seconds\n"
    "  now-ms               one step more at each call in the job; else since the machine's start\n"
    "  seed                 the job seed: E2E_SEED, the job's, or --default-seed (0)\n"
    "  test-seed TEST_NAME  the seed of that test, 0x hex\n"
    "  deterministic        1 or 0\n"
    "  time-step-ms         the step\n"
    "  env                  what programs often depend on, as JSON\n\n"
    "timestamp and now-ms count for all of the job. Deterministic without a job of detrun there "
    "is\n"
    "nowhere to count: that is an error.";

struct fixture {
    struct surroundings around;
    const char *prefix;
    const char *test_name;
};

/* @return 0, or COMMAND_USAGE after a line */
static int count(enum detrun_counter counter, uint64_t *sum)
{
    int error = operation_count_of_job(counter, 1, sum);
    if (error)
        message_say("there is no job to count in: run this under detrun, with its supervisor");
    return error ? COMMAND_USAGE : 0;
}

static int print_run_id(const struct fixture *f)
{
    if (f->around.deterministic)
        printf("%s_seed%" PRIu64 "\n", f->prefix, f->around.seed.number);
    else
        printf("%s_%ld_%" PRId64 "\n", f->prefix, (long)getppid(), (int64_t)time(NULL));
    return 0;
}

static int print_timestamp(const struct fixture *f)
{
    char text[32];
    uint64_t number = 0;
    int status = f->around.deterministic ? count(DETRUN_COUNTER_TIMESTAMPS, &number) : 0;
    if (status)
        return status;
    if (f->around.deterministic)
        snprintf(text, sizeof(text), TICKS_TIMESTAMP, number - 1);
    else
        ticks_wall(text, sizeof(text));
    puts(text);
    return 0;
}

static int print_now_ms(const struct fixture *f)
{
    uint64_t number = 0;
    int status = f->around.deterministic ? count(DETRUN_COUNTER_TICKS, &number) : 0;
    if (status)
        return status;
    printf("%" PRIu64 "\n",
           f->around.deterministic ? number * f->around.step_ms : ticks_monotonic_ms());
    return 0;
}

static int print_seed(const struct fixture *f)
{
    printf("%" PRIu64 "\n", f->around.seed.number);
    return 0;
}

static int print_test_seed(const struct fixture *f)
{
    printf("0x%" PRIx64 "\n", seed_for_test(&f->around.seed, f->test_name));
    return 0;
}

static int print_deterministic(const struct fixture *f)
{
    puts(f->around.deterministic ? "1" : "0");
    return 0;
}

static int print_time_step(const struct fixture *f)
{
    printf("%" PRIu64 "\n", f->around.step_ms);
    return 0;
}

static int print_env(const struct fixture *f)
{
    AUTO_BUFFER struct buffer b = {0};
    snapshot_print(&b, f->around.seed.number, f->around.deterministic);
    puts(b.text ? b.text : "");
    return 0;
}

static const struct answer {
    const char *name;
    int (*print)(const struct fixture *f);
    int words;
} answers[] = {
    {"run-id", print_run_id, 2},          {"timestamp", print_timestamp, 2},
    {"now-ms", print_now_ms, 2},          {"seed", print_seed, 2},
    {"test-seed", print_test_seed, 3},    {"deterministic", print_deterministic, 2},
    {"time-step-ms", print_time_step, 2}, {"env", print_env, 2},
};

static const struct answer *find_answer(const char *name, int words)
{
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
        if (strcmp(name, answers[i].name) == 0 && answers[i].words == words)
            return &answers[i];
    return NULL;
}

int tool_fixture(char **words)
{
    const char *seed = "0";
    uint64_t default_seed;
    const struct word_option options[] = {{"default-seed", &seed, NULL}, {NULL, NULL, NULL}};
    struct words w = {usage, options, false};
    int n = words_take(&w, words);
    if (n < 0)
        return w.helped ? 0 : COMMAND_USAGE;
    const struct answer *answer = n >= 2 ? find_answer(words[1], n) : NULL;
    if (!answer)
        return words_usage(&w);
    if (!value_u64(seed, &default_seed)) {
        message_say("--default-seed: \"%s\" is not a seed", seed);
        return COMMAND_USAGE;
    }
    struct fixture f = {.prefix = words[0], .test_name = words[2]};
    if (surroundings_read(&f.around) != 0) {
        message_say("%s has a bad value: \"%s\"", f.around.bad, getenv(f.around.bad));
        return COMMAND_USAGE;
    }
    if (!f.around.has_seed)
        f.around.seed.number = default_seed;
    return answer->print(&f);
}
