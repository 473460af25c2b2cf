/* SPDX-License-Identifier: MIT */
/*
 * detrun check: are failures that were kept back?
 */
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "json.h"
#include "message.h"
#include "record.h"
#include "reply.h"
#include "rerun.h"
#include "tools.h"
#include "words.h"

#define INCONCLUSIVE 3

static void put_json(FILE *out, const char *comma, const char *path, int verdict, const char *text)
{
    fprintf(out, "%s{\"file\":", comma);
    json_put_text(out, path);
    record_put_text(out, "verdict", rerun_verdict_names[verdict]);
    record_put_text(out, "text", text);
    fputc('}', out);
}

/* @return the verdict, or -1 after a message */
static int check(const char *path, FILE *json, const char *comma)
{
    struct recorded recorded;
    struct rerun rerun;
    char text[1024];
    int verdict = -1;
    if (recorded_find(&recorded, path, 1, text, sizeof(text)) != 0) {
        message_say("%s", text);
        return -1;
    }
    if (rerun_prepare(&rerun, &recorded) == 0 && rerun_run(&rerun, true) == 0)
        verdict = (int)rerun_judge(&rerun, text, sizeof(text));
    rerun_free(&rerun);
    recorded_free(&recorded);
    if (verdict >= 0 && json)
        put_json(json, comma, path, verdict, text);
    else if (verdict >= 0)
        printf("%s: %s: %s\n", path,
               verdict == RERUN_REPRODUCED     ? "is back"
               : verdict == RERUN_INCONCLUSIVE ? "not known"
               : verdict == RERUN_NOT          ? "passes"
                                               : "fails otherwise",
               text);
    return verdict;
}

/* @return an exit status */
static int check_all(char **words, FILE *json)
{
    unsigned counts[RERUN_INCONCLUSIVE + 1] = {0};
    const char *comma = "";
    bool unreadable = false;
    for (; *words; words++) {
        int verdict = check(*words, json, comma);
        unreadable = unreadable || verdict < 0;
        if (verdict < 0)
            continue;
        counts[verdict]++;
        comma = ",";
    }
    if (unreadable)
        return COMMAND_USAGE;
    if (counts[RERUN_REPRODUCED] != 0 || counts[RERUN_OTHERWISE] != 0)
        return 1;
    return counts[RERUN_INCONCLUSIVE] != 0 ? INCONCLUSIVE : 0;
}

/* Files are gathered first: where one of them cannot be read there is no answer. */
static int reply(char **words)
{
    static const char *const verdicts[] = {"passed", "failed", "", "inconclusive"};
    AUTO_FREE char *files = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&files, &size);
    int status = list ? check_all(words, list) : COMMAND_USAGE;
    if (!list || fclose(list) != 0 || status == COMMAND_USAGE)
        return COMMAND_USAGE;
    FILE *out = reply_open("check");
    if (out)
        fprintf(out, ",\"verdict\":\"%s\",\"files\":[%s]", verdicts[status], files);
    return reply_close(out, status);
}

int tool_check(char **words)
{
    const char *format = NULL;
    bool json = false;
    const struct word_option options[] = {{"format", &format, NULL}, {NULL, NULL, NULL}};
    struct words w = {"usage: detrun check [--format json] FILE...", options, false};
    int n = words_take(&w, words);
    if (n < 0)
        return w.helped ? 0 : COMMAND_USAGE;
    if (n == 0)
        return words_usage(&w);
    if (format && !words_format(format, &json))
        return COMMAND_USAGE;
    return json ? reply(words) : check_all(words, NULL);
}
