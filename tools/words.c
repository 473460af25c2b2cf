/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "message.h"

int words_usage(const struct words *w)
{
    message_say("%.*s", (int)strcspn(w->usage, "\n"), w->usage);
    return COMMAND_USAGE;
}

static const struct word_option *find(const struct words *w, const char *word, size_t length)
{
    for (const struct word_option *o = w->options; o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, word, length) == 0)
            return o;
    return NULL;
}

static int complain(const char *word, const char *what)
{
    message_say("%s: %s", word, what);
    return -1;
}

/* @return how many words it was, or -1 */
static int take(struct words *w, char **words)
{
    const char *word = words[0] + 2;
    size_t length = strcspn(word, "=");
    if (strcmp(word, "help") == 0) {
        puts(w->usage);
        w->helped = true;
        return -1;
    }
    const struct word_option *option = find(w, word, length);
    bool has_value = word[length] == '=';
    if (!option)
        return complain(words[0], "unknown option");
    if (option->flag) {
        *option->flag = true;
        return has_value ? complain(words[0], "it takes no value") : 1;
    }
    *option->text = has_value ? word + length + 1 : words[1];
    if (!*option->text)
        return complain(words[0], "a value is missing");
    return has_value ? 1 : 2;
}

int words_take(struct words *w, char **words)
{
    int kept = 0;
    int at = 0;
    while (words[at] && strcmp(words[at], "--") != 0) {
        if (strncmp(words[at], "--", 2) != 0) {
            words[kept++] = words[at++];
            continue;
        }
        int taken = take(w, words + at);
        if (taken < 0)
            return -1;
        at += taken;
    }
    for (at += words[at] != NULL; words[at]; at++)
        words[kept++] = words[at];
    words[kept] = NULL;
    return kept;
}

bool words_format(const char *format, bool *json)
{
    *json = format && strcmp(format, "json") == 0;
    if (*json || !format || strcmp(format, "text") == 0)
        return true;
    message_say("--format: \"%s\" is not a format; give text or json", format);
    return false;
}
