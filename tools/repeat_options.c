/* SPDX-License-Identifier: MIT */
/*
 * Options of detrun repeat itself; all others are those of each run.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "repeat.h"
#include "self.h"
#include "settings.h"
#include "values.h"

static const char usage[] =
    "usage: detrun repeat -n N | --until-failure [--vary-seed] [--jobs J] [--record FILE]\n"
    "                     [--keep DIR] [options of detrun run] [--] command [arguments]\n";

static bool set_count(struct repeat *r, const char *text)
{
    return value_u64(text, &r->count) && r->count > 0 && r->count <= UINT32_MAX;
}

static bool set_jobs(struct repeat *r, const char *text)
{
    return value_u64(text, &r->jobs) && r->jobs > 0 && r->jobs <= 1024;
}

static bool set_keep(struct repeat *r, const char *text)
{
    r->keep = text;
    return *text != '\0';
}

static bool set_until_failure(struct repeat *r, const char *text)
{
    return value_boolean(text, &r->until_failure);
}

static bool set_vary_seed(struct repeat *r, const char *text)
{
    return value_boolean(text, &r->vary_seed);
}

static const struct row {
    const char *name;
    bool (*set)(struct repeat *r, const char *text);
    bool is_flag;
    const char *what;
} rows[] = {
    {"-n", set_count, false, "a number of runs: 1 to 4294967295"},
    {"--max-examples", set_count, false, "a number of runs: 1 to 4294967295"},
    {"--jobs", set_jobs, false, "a number of runs at once: 1 to 1024"},
    {"-j", set_jobs, false, "a number of runs at once: 1 to 1024"},
    {"--keep", set_keep, false, "a folder"},
    {"--until-failure", set_until_failure, true, "yes or no: 1 or 0"},
    {"--vary-seed", set_vary_seed, true, "yes or no: 1 or 0"},
};

static const struct row *find(const char *word)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, word, length) == 0)
            return &rows[i];
    return NULL;
}

static int wrong(const char *name, const char *what)
{
    message_say("%s: give %s; see detrun repeat --help", name, what);
    return -1;
}

/* @return how many words were taken, -1 after a message */
static int take_own(struct repeat *r, const struct row *row, char **words)
{
    const char *value = strchr(words[0], '=');
    int taken = 1;
    if (value)
        value++;
    else if (row->is_flag)
        value = "1";
    else if ((value = words[1]) != NULL)
        taken = 2;
    return value && row->set(r, value) ? taken : wrong(row->name, row->what);
}

/* The words of an option of detrun run, which says itself what is wrong with one. */
static int take_other(char **to, char **words)
{
    int n = settings_words(words[0]);
    to[0] = words[0];
    if (n == 2 && words[1])
        to[1] = words[1];
    return n == 2 && words[1] ? 2 : 1;
}

static int find_self(struct repeat *r)
{
    r->self = self_beside("detrun");
    if (r->self)
        return 0;
    message_say("cannot read /proc/self/exe: %s; mount /proc", strerror(errno));
    return -1;
}

/* As detrun run would read them: @return 0, or -1 after a message */
static int read_others(struct repeat *r, char **command, int others)
{
    int n = 0;
    while (command[n])
        n++;
    char **argv = calloc((size_t)(others + n) + 3, sizeof(*argv));
    if (!argv)
        return wrong("repeat", "more memory");
    argv[0] = r->self;
    memcpy(argv + 1, r->words, (size_t)others * sizeof(*argv));
    argv[1 + others] = (char[]){"--"};
    memcpy(argv + 2 + others, command, (size_t)n * sizeof(*argv));
    if (options_parse(&r->options, others + n + 2, argv) != 0) {
        message_say("%s", r->options.error);
        return -1;
    }
    r->options.command = command;
    if (r->options.action != OPTIONS_UNTOUCHED)
        return 0;
    message_say("%s is off: nothing would be repeated; unset it", DETRUN_ENV_DETERMINISTIC);
    return -1;
}

int repeat_parse(struct repeat *r, char **words)
{
    int n = 0;
    int others = 0;
    while (words[n])
        n++;
    *r = (struct repeat){.jobs = 1, .words = calloc((size_t)n + 1, sizeof(char *))};
    if (!r->words || find_self(r) != 0)
        return -1;
    while (*words && (*words)[0] == '-' && (*words)[1] && strcmp(*words, "--") != 0) {
        const struct row *row = find(*words);
        int taken = row ? take_own(r, row, words) : take_other(r->words + others, words);
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (taken < 0)
            return -1;
        others += row ? 0 : taken;
        words += taken;
    }
    words += *words && strcmp(*words, "--") == 0;
    if (r->count == 0 && !r->until_failure)
        return wrong("repeat", "-n N, or --until-failure");
    return read_others(r, words, others);
}
