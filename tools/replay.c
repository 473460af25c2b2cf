/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "record.h"
#include "replay_state.h"
#include "reply.h"
#include "rerun.h"
#include "tools.h"
#include "values.h"

#define INCONCLUSIVE 3

static const char usage[] = "usage: detrun replay FILE [--failure K] [--strict] [--format json]\n";

struct replay {
    const char *path;
    unsigned number;
    bool strict;
    bool json;
};

static int complain(const char *line)
{
    message_say("%s", line);
    return -1;
}

static bool set_number(struct replay *r, const char *text)
{
    uint64_t number;
    if (!text || !value_u64(text, &number) || number == 0 || number > UINT32_MAX)
        return false;
    r->number = (unsigned)number;
    return true;
}

/* @return 0, 1: help was asked for, -1 after a message */
static int parse(struct replay *r, char **words)
{
    for (; *words; words++) {
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(*words, "--strict") == 0) {
            r->strict = true;
        } else if (strncmp(*words, "--failure", 9) == 0 && strchr("=", (*words)[9])) {
            const char *text = (*words)[9] ? *words + 10 : *++words;
            if (!set_number(r, text))
                return complain("--failure: give the number of one, as detrun failures counts");
            if (!*words)
                break;
        } else if (strncmp(*words, "--format", 8) == 0 && strchr("=", (*words)[8])) {
            if (!reply_format(&r->json, (*words)[8] ? *words + 9 : *++words))
                return complain("--format: give text or json");
        } else if (((*words)[0] == '-' && (*words)[1]) || r->path) {
            message_say("\"%s\" is not understood; usage: detrun replay FILE [--failure K] "
                        "[--strict]",
                        *words);
            return -1;
        } else {
            r->path = *words;
        }
    }
    return r->path ? 0
                   : complain("no file given; usage: detrun replay FILE [--failure K] "
                              "[--strict]");
}

static int replay(const struct replay *r, const struct recorded *recorded)
{
    static const int statuses[] = {[RERUN_REPRODUCED] = 0,
                                   [RERUN_OTHERWISE] = 1,
                                   [RERUN_NOT] = 1,
                                   [RERUN_INCONCLUSIVE] = INCONCLUSIVE};
    struct rerun rerun;
    char text[1024];
    if (rerun_prepare(&rerun, recorded) != 0)
        return COMMAND_USAGE;
    if (replay_state_compare(recorded->start, &rerun.options) != 0 && r->strict) {
        message_say("--strict: not run, because the state is not the recorded one");
        return COMMAND_USAGE;
    }
    if (rerun_run(&rerun, false) != 0)
        return COMMAND_USAGE;
    enum rerun_verdict verdict = rerun_judge(&rerun, text, sizeof(text));
    message_say("%s", text);
    if (!r->json)
        return statuses[verdict];
    FILE *out = reply_open("replay");
    if (out) {
        record_put_text(out, "verdict", rerun_verdict_names[verdict]);
        record_put_text(out, "text", text);
    }
    return reply_close(out, statuses[verdict]);
}

int tool_replay(char **words)
{
    struct replay r = {.number = 1};
    struct recorded recorded;
    char error[1024];
    int result = parse(&r, words);
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (recorded_find(&recorded, r.path, r.number, error, sizeof(error)) != 0) {
        message_say("%s", error);
        return COMMAND_USAGE;
    }
    result = replay(&r, &recorded);
    recorded_free(&recorded);
    return result;
}
