/* SPDX-License-Identifier: MIT */
/*
 * One line each: place of the task, number of the record, members from the host on. Guests may
 * write to the job memory: what is read there is read with care.
 */
#include "calls.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"

/* @return behind what the text begins with, or NULL */
static const char *behind(const char *text, const char *beginning)
{
    size_t n = strlen(beginning);
    return text && strncmp(text, beginning, n) == 0 ? text + n : NULL;
}

/* As the library writes them. @return the members from the host on; NULL: it belongs to an
 * iteration of the program's own, whose failure has it */
static const char *from_host(const struct detrun_memory *m, const char *members)
{
    char of_repeat[48];
    snprintf(of_repeat, sizeof(of_repeat),
             "\"iteration\":%" PRIu32 ",\"index\":", m->params.iteration);
    const char *at = behind(members, "\"iteration\":null,\"index\":");
    if (!at)
        at = behind(members, of_repeat);
    if (!at)
        return NULL;
    at = behind(at + strspn(at, "0123456789"), ",");
    return behind(at, "\"host\":\"") ? at : NULL;
}

void calls_keep(struct detrun_memory *m, const char *place, uint32_t seq, const char *members)
{
    struct detrun_calls *calls = &m->calls;
    size_t used = calls->used < sizeof(calls->text) ? calls->used : sizeof(calls->text);
    size_t room = sizeof(calls->text) - used;
    const char *text = from_host(m, members);
    if (!text)
        return;
    int n = snprintf(calls->text + used, room, "%s %" PRIu32 " %s\n", place, seq, text);
    if (n > 0 && (size_t)n < room)
        calls->used = (uint32_t)used + (uint32_t)n;
    else
        calls->left_out++;
}

/* 1.2 comes before 1.10. */
static int compare(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static const char *members_of(const char *line)
{
    const char *at = strstr(line, " \"host\":\"");
    return at ? at + 1 : NULL;
}

/* @return the length of the host's name, with its quotes */
static size_t host_length(const char *name)
{
    const char *at = name + 1;
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return (size_t)(at - name) + (*at == '"');
}

/* @return the host's name in its quotes, NULL: it did not fail */
static const char *failed_host(const char *line, size_t *length)
{
    static const char end[] = "\"ok\":false";
    const char *members = members_of(line);
    size_t n = strlen(line);
    if (!members || n < sizeof(end) || strcmp(line + n - sizeof(end) + 1, end) != 0)
        return NULL;
    const char *name = members + strlen("\"host\":");
    *length = host_length(name);
    return name;
}

static bool is_first(char *const *lines, size_t at, const char *name, size_t length)
{
    for (size_t i = 0; i < at; i++) {
        size_t other_length = 0;
        const char *other = failed_host(lines[i], &other_length);
        if (other && other_length == length && strncmp(other, name, length) == 0)
            return false;
    }
    return true;
}

static void put_lines(FILE *out, char *const *lines, size_t n)
{
    const char *comma = "";
    fputs(",\"hosts\":[", out);
    for (size_t i = 0; i < n; i++) {
        size_t length = 0;
        const char *name = failed_host(lines[i], &length);
        if (!name || !is_first(lines, i, name, length))
            continue;
        fprintf(out, "%s%.*s", comma, (int)length, name);
        comma = ",";
    }
    fputs("],\"calls\":[", out);
    comma = "";
    for (size_t i = 0; i < n; i++) {
        if (!members_of(lines[i]))
            continue;
        fprintf(out, "%s{%s}", comma, members_of(lines[i]));
        comma = ",";
    }
    fputc(']', out);
}

void calls_put(FILE *out, const struct detrun_memory *m)
{
    const struct detrun_calls *calls = &m->calls;
    AUTO_FREE char *text = strndup(calls->text, sizeof(calls->text) - 1);
    AUTO_FREE char **lines = calloc(sizeof(calls->text) / 2, sizeof(*lines));
    size_t n = 0;
    char *rest = text;
    for (char *line; lines && rest && (line = strsep(&rest, "\n")) && rest;)
        lines[n++] = line;
    if (n > 0)
        qsort(lines, n, sizeof(*lines), compare);
    put_lines(out, lines, n);
    if (calls->left_out)
        fprintf(out, ",\"calls_left_out\":%" PRIu32, calls->left_out);
}
