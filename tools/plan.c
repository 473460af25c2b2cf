/* SPDX-License-Identifier: MIT */
/*
 * Options of the subcommand itself; all others are those of each run.
 */
#include "plan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "reply.h"
#include "self.h"
#include "settings.h"
#include "values.h"

bool plan_set_count(struct plan *p, const char *text)
{
    return value_u64(text, &p->count) && p->count > 0 && p->count <= UINT32_MAX;
}

static bool set_jobs(struct plan *p, const char *text)
{
    return value_u64(text, &p->jobs) && p->jobs > 0 && p->jobs <= 1024;
}

static bool set_keep(struct plan *p, const char *text)
{
    p->keep = text;
    return *text != '\0';
}

static bool set_junit(struct plan *p, const char *text)
{
    p->junit = text;
    return *text != '\0';
}

static bool set_report(struct plan *p, const char *text)
{
    p->report = text;
    return *text != '\0';
}

static bool set_format(struct plan *p, const char *text)
{
    return reply_format(&p->json, text);
}

static const struct plan_row common[] = {
    {"--format", set_format, false, "text or json"},
    {"-n", plan_set_count, false, "a number of runs: 1 to 4294967295"},
    {"--jobs", set_jobs, false, "a number of runs at once: 1 to 1024"},
    {"-j", set_jobs, false, "a number of runs at once: 1 to 1024"},
    {"--keep", set_keep, false, "a folder"},
    {"--junit", set_junit, false, "a file"},
    {"--report", set_report, false, "a folder"},
};

static const struct plan_row *find_in(const struct plan_row *rows, size_t n, const char *word)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < n; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, word, length) == 0)
            return &rows[i];
    return NULL;
}

static int wrong(const struct plan *p, const char *name, const char *what)
{
    message_say("%s: give %s; see detrun %s --help", name, what, p->name);
    return -1;
}

/* @return how many words were taken, -1 after a message */
static int take_own(struct plan *p, const struct plan_row *row, char **words)
{
    const char *value = strchr(words[0], '=');
    int taken = 1;
    if (value)
        value++;
    else if (row->is_flag)
        value = "1";
    else if ((value = words[1]) != NULL)
        taken = 2;
    return value && row->set(p, value) ? taken : wrong(p, row->name, row->what);
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

static int find_self(struct plan *p)
{
    p->self = self_beside("detrun");
    if (p->self)
        return 0;
    message_say("cannot read /proc/self/exe: %s; mount /proc", strerror(errno));
    return -1;
}

/* As detrun run would read them: @return 0, or -1 after a message */
static int read_others(struct plan *p, char **command, int others)
{
    int n = 0;
    while (command[n])
        n++;
    char **argv = calloc((size_t)(others + n) + 3, sizeof(*argv));
    if (!argv)
        return wrong(p, p->name, "it more memory");
    argv[0] = p->self;
    memcpy(argv + 1, p->words, (size_t)others * sizeof(*argv));
    argv[1 + others] = (char[]){"--"};
    memcpy(argv + 2 + others, command, (size_t)n * sizeof(*argv));
    if (options_parse(&p->options, others + n + 2, argv) != 0) {
        message_say("%s", p->options.error);
        return -1;
    }
    p->options.command = command;
    if (p->options.trace) {
        message_say("--trace: each run would write the same file; see detrun verify --keep");
        return -1;
    }
    if (p->options.action != OPTIONS_UNTOUCHED)
        return 0;
    message_say("%s is off: nothing would be answered; unset it", DETRUN_ENV_DETERMINISTIC);
    return -1;
}

char *plan_quote(char *const *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (; out && *words; words++) {
        options_print_quoted(out, *words);
        fputs(words[1] ? " " : "", out);
    }
    return out && fclose(out) == 0 ? text : NULL;
}

static int start(struct plan *p, char **words)
{
    size_t n = 0;
    while (words[n])
        n++;
    p->jobs = 1;
    p->given = plan_quote(words);
    p->words = calloc(n + 1, sizeof(char *));
    return p->words ? find_self(p) : wrong(p, p->name, "it more memory");
}

int plan_parse(struct plan *p, char **words, const struct plan_row *rows, unsigned n)
{
    int others = 0;
    if (start(p, words) != 0)
        return -1;
    while (*words && (*words)[0] == '-' && (*words)[1] && strcmp(*words, "--") != 0) {
        const struct plan_row *row = find_in(rows, n, *words);
        if (!row)
            row = find_in(common, sizeof(common) / sizeof(common[0]), *words);
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0) {
            fputs(p->usage, stdout);
            return 1;
        }
        int taken = row ? take_own(p, row, words) : take_other(p->words + others, words);
        if (taken < 0)
            return -1;
        others += row ? 0 : taken;
        words += taken;
    }
    words += *words && strcmp(*words, "--") == 0;
    if (read_others(p, words, others) != 0)
        return -1;
    return p->json ? reply_begin() : 0;
}
