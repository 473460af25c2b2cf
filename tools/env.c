/* SPDX-License-Identifier: MIT */
/*
 * detrun env: what takes the job to another machine, as assignments for a shell there. Each use is
 * a process of the job, and its place is nobody else's: so is what begins there on the other
 * machine.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "operations.h"
#include "seed.h"
#include "tools.h"
#include "values.h"

#define NS_IN_MS 1000000
#define NS_IN_S  1000000000

/* In ssh host $(detrun env) the shell here splits words at blanks and looks for files by patterns,
 * and takes no quotes off: there is nothing of that in what is printed. The shell there does. */
static void put(const char *name, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    bool quoted = text[strspn(text, plain)] != '\0';
    printf("%s=%s", name, quoted ? "$'" : "");
    for (; *text; text++)
        if (strchr(plain, *text))
            putchar(*text);
        else
            printf("\\%03o", (unsigned)(unsigned char)*text);
    fputs(quoted ? "' " : " ", stdout);
}

static void put_number(const char *name, uint64_t number)
{
    printf("%s=%" PRIu64 " ", name, number);
}

static void put_seed(const struct detrun_info *info)
{
    if (info->seed_encoding == SEED_TEXT)
        put(DETRUN_ENV_SEED, info->seed_text);
    else
        put_number(DETRUN_ENV_SEED, info->job_seed);
    put("DETRUN_SEED_ENCODING", seed_encoding_names[info->seed_encoding % SEED_ENCODINGS]);
    put(DETRUN_ENV_TEST_NAME, info->test_name);
}

static void put_steps(const struct detrun_info *info)
{
    put_number(DETRUN_ENV_STEP, info->step_ns / NS_IN_MS);
    if (info->step_ns % NS_IN_MS != 0)
        printf(DETRUN_ENV_STEP_EXACT "=%" PRIu64 "ns ", info->step_ns);
    printf("DETRUN_MONO_STEP=%" PRIu64 "ns ", info->mono_step_ns);
    put_number(DETRUN_ENV_EPOCH, (uint64_t)(info->epoch_ns / NS_IN_S));
    put("DETRUN_CLOCK_SCOPE", info->flags & DETRUN_INFO_JOB_CLOCK ? "job" : "task");
    put("DETRUN_WAIT", info->flags & DETRUN_INFO_REAL_TIME ? "real" : "warp");
}

int tool_env(char **words)
{
    struct detrun_info info;
    char real[256];
    (void)words;
    if (operation_info(&info) != 0) {
        message_say("env: this is not in a job with a supervisor; run it under detrun");
        return COMMAND_USAGE;
    }
    put(DETRUN_ENV_DETERMINISTIC, "1");
    put_seed(&info);
    put_steps(&info);
    value_put_real(info.real, real, sizeof(real));
    if (*real)
        put("DETRUN_REAL", real);
    if (info.max_examples)
        put_number("DETRUN_MAX_EXAMPLES", info.max_examples);
    put("DETRUN_LINEAGE", info.task);
    putchar('\n');
    return 0;
}
