/* SPDX-License-Identifier: MIT */
/*
 * detrun keep: one recorded failure in a file of its own, to be kept beside the tests, so that
 * detrun check tells when it is back. --minimize drops words of the command and variables of the
 * environment, one at a time, while it still fails in the same way.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "record_reader.h"
#include "rerun.h"
#include "tools.h"
#include "values.h"

static const char usage[] = "usage: detrun keep RECORDS [--failure K] -o FILE [--minimize]\n";

struct keep {
    const char *path;
    const char *out;
    unsigned number;
    bool minimize;
};

static int complain(const char *line)
{
    message_say("keep: %s; see detrun keep --help", line);
    return -1;
}

static bool set_number(struct keep *k, const char *text)
{
    uint64_t number;
    if (!text || !value_u64(text, &number) || number == 0 || number > UINT32_MAX)
        return false;
    k->number = (unsigned)number;
    return true;
}

static int parse(struct keep *k, char **words)
{
    for (; *words; words++) {
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(*words, "--minimize") == 0)
            k->minimize = true;
        else if (strcmp(*words, "-o") == 0 && words[1])
            k->out = *++words;
        else if (strcmp(*words, "--failure") == 0 && set_number(k, words[1]))
            words++;
        else if ((*words)[0] == '-' || k->path)
            return complain("give RECORDS, --failure K and -o FILE");
        else
            k->path = *words;
    }
    return k->path && k->out ? 0 : complain("give a file of records, and -o FILE");
}

/* @return whether it is there again; a failure to run it is none */
static bool fails(const struct recorded *recorded)
{
    struct rerun rerun;
    char text[1024];
    bool again = rerun_prepare(&rerun, recorded) == 0 && rerun_run(&rerun, true) == 0 &&
                 rerun_judge(&rerun, text, sizeof(text)) == RERUN_REPRODUCED;
    rerun_free(&rerun);
    return again;
}

static bool fails_without(struct recorded *recorded, json_t *command, size_t first, size_t n)
{
    json_t *dropped[2];
    for (size_t i = 0; i < n; i++) {
        dropped[i] = json_incref(json_array_get(command, first));
        json_array_remove(command, first);
    }
    bool again = fails(recorded);
    for (size_t i = n; i-- > 0;)
        if (again)
            json_decref(dropped[i]);
        else
            json_array_insert_new(command, first, dropped[i]);
    return again;
}

/* The first word is the program. An option and its value go together. */
static unsigned drop_words(struct recorded *recorded)
{
    json_t *command = json_object_get(recorded->start, "command");
    size_t before = json_array_size(command);
    for (size_t n = 2; n > 0; n--)
        for (size_t i = 1; i + n <= json_array_size(command);)
            if (!fails_without(recorded, command, i, n))
                i++;
    return (unsigned)(before - json_array_size(command));
}

/* Without these nothing runs, or detrun does not. */
static bool is_needed(const char *name, size_t length)
{
    static const char *const names[] = {"PATH", "E2E_DETERMINISTIC", "E2E_SEED"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return true;
    return false;
}

static unsigned drop_variables(struct recorded *recorded)
{
    json_t *unset = json_object_get(recorded->start, "unset");
    unsigned dropped = 0;
    for (char **entry = environ; *entry && json_array_size(unset) < OPTIONS_WORDS; entry++) {
        size_t length = strcspn(*entry, "=");
        if (length == 0 || is_needed(*entry, length))
            continue;
        json_array_append_new(unset, json_stringn(*entry, length));
        if (fails(recorded))
            dropped++;
        else
            json_array_remove(unset, json_array_size(unset) - 1);
    }
    return dropped;
}

static int minimize(struct recorded *recorded)
{
    if (!fails(recorded)) {
        message_say("--minimize: it is not reproduced as it stands; see detrun replay");
        return -1;
    }
    unsigned words = drop_words(recorded);
    unsigned variables = drop_variables(recorded);
    printf("dropped: %u words of the command, %u variables\n", words, variables);
    return 0;
}

/* @return where the value of a member begins; its end in *end. NULL: there is none */
static const char *find_array(const char *text, const char *name, const char **end)
{
    char wanted[32];
    snprintf(wanted, sizeof(wanted), "\"%s\":[", name);
    const char *at = strstr(text, wanted);
    if (!at)
        return NULL;
    at += strlen(wanted) - 1;
    bool quoted = false;
    for (*end = at; **end && (quoted || **end != ']'); ++*end) {
        quoted = quoted != (**end == '"');
        if (**end == '\\' && (*end)[1])
            ++*end;
    }
    *end += **end != '\0';
    return at;
}

/* The text with an array in it replaced by what has become of it. @return the caller's, or NULL */
static char *with_array(const char *text, const json_t *record, const char *name)
{
    const char *end;
    const char *at = find_array(text, name, &end);
    char *array = json_dumps(json_object_get(record, name), JSON_COMPACT | JSON_ENCODE_ANY);
    char *result = NULL;
    if (at && array && asprintf(&result, "%.*s%s%s", (int)(at - text), text, array, end) < 0)
        result = NULL;
    free(array);
    return result;
}

/* @return the start as text, the caller's, or NULL */
static char *text_of_start(const struct recorded *recorded)
{
    char *text = with_array(recorded->start_text, recorded->start, "command");
    char *both = text ? with_array(text, recorded->start, "unset") : NULL;
    free(text);
    return both;
}

static bool put(FILE *out, const char *text)
{
    return !text || fprintf(out, "%s\n", text) > 0;
}

/* It says itself which failure is meant: the first and only one. */
static int store(const struct keep *k, const struct recorded *recorded)
{
    FILE *out = fopen(k->out, "wxe");
    if (!out) {
        message_say("-o: cannot make \"%s\": %s", k->out, strerror(errno));
        return -1;
    }
    char *start = text_of_start(recorded);
    bool has_start = start != NULL;
    if (!has_start)
        message_say("%s: the record does not say what was run", k->path);
    bool good = start && put(out, start) && put(out, recorded->failure_text) &&
                put(out, recorded->end_text);
    free(start);
    good = fclose(out) == 0 && good;
    if (!good && has_start)
        message_say("-o: cannot write \"%s\": %s", k->out, strerror(errno));
    if (!good)
        unlink(k->out);
    return good ? 0 : -1;
}

int tool_keep(char **words)
{
    struct keep k = {.number = 1};
    struct recorded recorded;
    char error[1024];
    int result = parse(&k, words);
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    if (recorded_find(&recorded, k.path, k.number, error, sizeof(error)) != 0) {
        message_say("%s", error);
        return COMMAND_USAGE;
    }
    if ((k.minimize && minimize(&recorded) != 0) || store(&k, &recorded) != 0)
        result = COMMAND_USAGE;
    recorded_free(&recorded);
    return result;
}
