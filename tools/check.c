/* SPDX-License-Identifier: MIT */
/*
 * detrun check: are failures that were kept back?
 */
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "rerun.h"
#include "tools.h"

#define INCONCLUSIVE 3

/* @return the verdict, or -1 after a message */
static int check(const char *path)
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
    if (verdict >= 0)
        printf("%s: %s: %s\n", path,
               verdict == RERUN_REPRODUCED     ? "is back"
               : verdict == RERUN_INCONCLUSIVE ? "not known"
               : verdict == RERUN_NOT          ? "passes"
                                               : "fails otherwise",
               text);
    return verdict;
}

int tool_check(char **words)
{
    unsigned counts[RERUN_INCONCLUSIVE + 1] = {0};
    bool unreadable = false;
    if (!*words || (*words)[0] == '-') {
        message_say("usage: detrun check FILE...");
        return COMMAND_USAGE;
    }
    for (; *words; words++) {
        int verdict = check(*words);
        unreadable = unreadable || verdict < 0;
        if (verdict >= 0)
            counts[verdict]++;
    }
    if (unreadable)
        return COMMAND_USAGE;
    if (counts[RERUN_REPRODUCED] != 0 || counts[RERUN_OTHERWISE] != 0)
        return 1;
    return counts[RERUN_INCONCLUSIVE] != 0 ? INCONCLUSIVE : 0;
}
