/* SPDX-License-Identifier: MIT */
/*
 * detrun bisect-source: on which sources does the outcome depend? Each is left real by itself, and
 * what the run leaves is compared with the run where all are answered.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "detrun/abi.h"
#include "message.h"
#include "reply.h"
#include "runner.h"
#include "tools.h"
#include "verdict.h"

#define INCONCLUSIVE 3
#define TRIES        3 /* a real answer may be that of the seed by chance */

static const char *const sources[] = {
#define X(id, name) name,
    DETRUN_SOURCE_NAMES
#undef X
};
#define SOURCES (sizeof(sources) / sizeof(sources[0]))

struct bisect {
    struct plan plan;
    size_t given; /**< words that the caller gave for each run */
    struct iteration first;
    const char *channels[SOURCES]; /**< what depends on each; NULL: nothing */
};

static int run(struct bisect *b, struct iteration *i)
{
    int status = 0;
    *i = (struct iteration){.number = 1, .seed = b->plan.options.seed};
    int error = iteration_start(i, &b->plan);
    if (error) {
        message_say("cannot start a run: %s", strerror(-error));
        return -1;
    }
    while (waitpid(i->pid, &status, 0) < 0 && errno == EINTR)
        ;
    iteration_end(i, status);
    if (!i->no_room)
        return 0;
    iteration_say_no_room(i, &b->plan);
    return -1;
}

/* @return NULL: nothing differs */
static const char *differing(const struct iteration *a, const struct iteration *b)
{
    if (!iteration_same_end(a, b))
        return "exit";
    if (strcmp(a->out_digest, b->out_digest) != 0)
        return "stdout";
    return strcmp(a->err_digest, b->err_digest) != 0 ? "stderr" : NULL;
}

/* @return 0, or -1 after a message; *channel is what depends on it, or NULL */
static int try_source(struct bisect *b, const char *source, const char **channel)
{
    char word[64];
    int result = 0;
    *channel = NULL;
    snprintf(word, sizeof(word), "--real=%s", source);
    b->plan.words[b->given] = word;
    for (int i = 0; i < TRIES && !*channel && result == 0; i++) {
        struct iteration again;
        result = run(b, &again);
        if (result == 0)
            *channel = differing(&b->first, &again);
        iteration_close(&again);
    }
    b->plan.words[b->given] = NULL;
    return result;
}

static int try_all(struct bisect *b)
{
    const char *channel;
    unsigned found = 0;
    for (size_t i = 0; i < SOURCES; i++) {
        if (try_source(b, sources[i], &channel) != 0)
            return COMMAND_USAGE;
        if (channel)
            printf("%s: %s depends on it\n", sources[i], channel);
        b->channels[i] = channel;
        found += channel != NULL;
    }
    if (found == 0)
        puts("no source: with each of them real the outcome is the same");
    return 0;
}

/* Without this nothing that follows means anything. */
static int check_same(struct bisect *b)
{
    struct iteration again;
    if (run(b, &again) != 0)
        return COMMAND_USAGE;
    const char *channel = differing(&b->first, &again);
    iteration_close(&again);
    if (!channel)
        return try_all(b);
    printf("not deterministic as it is: %s differs between two runs; see detrun verify\n", channel);
    return 1;
}

static int make_room(struct bisect *b)
{
    while (b->plan.words[b->given])
        b->given++;
    char **words = reallocarray(b->plan.words, b->given + 2, sizeof(*words));
    if (!words) {
        message_say("out of memory");
        return -1;
    }
    words[b->given + 1] = NULL;
    b->plan.words = words;
    return 0;
}

/* @return the status */
static int reply(const struct bisect *b, int status)
{
    const char *comma = "";
    if (!b->plan.json || status == COMMAND_USAGE)
        return status;
    FILE *out = reply_open(b->plan.name);
    if (!out)
        return COMMAND_USAGE;
    fprintf(out, ",\"verdict\":\"%s\",\"sources\":[",
            status == 0   ? "same"
            : status == 1 ? "diverged"
                          : "inconclusive");
    for (size_t i = 0; i < SOURCES; i++) {
        if (!b->channels[i])
            continue;
        fprintf(out, "%s{\"source\":\"%s\",\"channel\":\"%s\"}", comma, sources[i], b->channels[i]);
        comma = ",";
    }
    fputc(']', out);
    return reply_close(out, status);
}

int tool_bisect(char **words)
{
    struct bisect b = {.plan = {.name = "bisect-source",
                                .usage = "usage: detrun bisect-source [options of detrun run] [--] "
                                         "command [arguments]\n"}};
    int result = plan_parse(&b.plan, words, NULL, 0);
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (b.plan.options.real != 0) {
        message_say("bisect-source: it chooses itself which sources are real; leave out --real");
        return COMMAND_USAGE;
    }
    if (make_room(&b) != 0 || run(&b, &b.first) != 0)
        return COMMAND_USAGE;
    if (!iteration_was_run(&b.first)) {
        verdict_put("inconclusive");
        puts(": the command was skipped, or could not be run");
        return reply(&b, INCONCLUSIVE);
    }
    return reply(&b, check_same(&b));
}
