/* SPDX-License-Identifier: MIT */
/*
 * detrun failures: which test, which iteration, which input, which host, how to repeat it; from the
 * files of however many hosts.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "message.h"
#include "record_reader.h"
#include "recorded.h"
#include "tools.h"

static const char usage[] = "usage: detrun failures [--json] FILE...";

struct listing {
    bool json;
    unsigned count;
    json_t *hosts; /**< by run_id: where its records come from */
};

/* Records come from other hosts, and this is a terminal. */
static void put_escaped(const char *text)
{
    char escaped[4096];
    message_escape(escaped, sizeof(escaped), text);
    fputs(escaped, stdout);
}

static void put_value(const char *name, const json_t *value)
{
    char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    putchar(' ');
    put_escaped(name);
    putchar('=');
    put_escaped(text ? text : json_string_value(value));
    free(text);
}

static void put_input(json_t *input)
{
    const char *name;
    json_t *value;
    if (json_object_size(input) == 0)
        return;
    printf("  input:    ");
    json_object_foreach(input, name, value) put_value(name, value);
    putchar('\n');
}

static void put_hosts(const json_t *hosts)
{
    size_t i;
    json_t *host;
    if (json_array_size(hosts) == 0)
        return;
    printf("  hosts:    ");
    json_array_foreach(hosts, i, host)
    {
        putchar(' ');
        put_escaped(json_is_string(host) ? json_string_value(host) : "?");
    }
    putchar('\n');
}

static void put_calls(const json_t *calls)
{
    size_t i;
    json_t *call;
    json_array_foreach(calls, i, call)
    {
        fputs("  call:      ", stdout);
        put_escaped(record_text(call, "host", "?"));
        fputs(": ", stdout);
        put_escaped(record_text(call, "text", ""));
        puts(json_is_false(json_object_get(call, "ok")) ? " (failed)" : "");
    }
}

static void put_line(const char *name, const char *text)
{
    if (*text) {
        printf("  %-10s ", name);
        put_escaped(text);
        putchar('\n');
    }
}

static void put_failure(struct listing *l, const json_t *record, const char *path)
{
    int64_t iteration = record_number(record, "iteration", 0);
    int64_t run = record_number(record, "run", 0);
    const char *host =
        json_string_value(json_object_get(l->hosts, record_text(record, "run_id", "")));
    printf("%u. ", l->count);
    put_escaped(record_text(record, "test_name", "?"));
    if (iteration > 0)
        printf(", iteration %lld", (long long)iteration);
    if (run > 0)
        printf(", run %lld", (long long)run);
    fputs(": ", stdout);
    put_escaped(record_text(record, "reason", "?"));
    putchar('\n');
    put_input(json_object_get(record, "input"));
    put_calls(json_object_get(record, "calls"));
    put_hosts(json_object_get(record, "hosts"));
    put_line("job seed:", record_text(record, "job_seed_hex", ""));
    put_line("test seed:", record_text(record, "test_seed_hex", ""));
    put_line("run on:", host ? host : "");
    put_line("from:", path);
    put_line("repeat:", record_text(record, "reproduce", ""));
}

/* The record as it was written: its numbers are exact. Newlines in it are between its members. */
static void put_json(struct listing *l, const json_t *record, const struct record_reader *r)
{
    const json_t *host = json_object_get(l->hosts, record_text(record, "run_id", ""));
    fprintf(stdout, "{\"failure\":%u,\"file\":", l->count);
    json_put_text(stdout, r->path);
    fputs(",\"run_on\":", stdout);
    if (host)
        json_put_text(stdout, json_string_value(host));
    else
        fputs("null", stdout);
    fputs(",\"record\":", stdout);
    for (const char *c = r->text; *c; c++)
        putchar(*c == '\n' ? ' ' : *c);
    puts("}");
}

static void note_host(struct listing *l, const json_t *record)
{
    const char *host = record_text(json_object_get(record, "volatile"), "host", NULL);
    if (host && record_is(record, "start"))
        json_object_set_new(l->hosts, record_text(record, "run_id", ""), json_string(host));
}

/* What a run that has begun and not ended failed of nobody knows; nor what came behind a limit. */
struct progress {
    unsigned begun;
    unsigned ended;
    bool truncated;
};

static void note_progress(struct progress *p, const json_t *record)
{
    bool of_detrun = record_number(record, "run", 0) == 0;
    p->begun += record_is(record, "start") && of_detrun;
    p->ended += (record_is(record, "end") || record_is(record, "verdict")) && of_detrun;
    p->truncated = p->truncated || record_is(record, "truncated");
}

static bool is_whole(const struct progress *p, const char *path)
{
    if (p->truncated)
        message_say("%s: its --record-limit was reached: failures may be missing", path);
    else if (p->begun == 0)
        message_say("%s: there is no run in it", path);
    else if (p->ended < p->begun)
        message_say("%s: %u of %u runs have no end: they were killed, or still go on", path,
                    p->begun - p->ended, p->begun);
    return !p->truncated && p->begun != 0 && p->ended >= p->begun;
}

static void list_record(struct listing *l, const json_t *record, const struct record_reader *r,
                        json_t **last)
{
    note_host(l, record);
    if (!record_is(record, "failure") || recorded_is_told(record, *last))
        return;
    l->count++;
    if (l->json)
        put_json(l, record, r);
    else
        put_failure(l, record, r->path);
    json_decref(*last);
    *last = json_incref((json_t *)record);
}

/* Behind a bad line others follow, of other writers. @return whether all could be read */
static bool list_file(struct listing *l, const char *path)
{
    char error[512];
    struct record_reader r;
    struct progress progress = {0};
    json_t *record;
    json_t *last = NULL;
    bool good = true;
    int more;
    if (record_reader_open(&r, path, error, sizeof(error)) != 0) {
        message_say("%s", error);
        return false;
    }
    while ((more = record_reader_next(&r, &record, error, sizeof(error))) != 0) {
        if (more < 0 && good)
            message_say("%s", error);
        good = good && more > 0;
        if (more < 0 && record_reader_is_lost(&r))
            break;
        if (more < 0)
            continue;
        note_progress(&progress, record);
        list_record(l, record, &r, &last);
        json_decref(record);
    }
    json_decref(last);
    record_reader_close(&r);
    return good && is_whole(&progress, path);
}

int tool_failures(char **words)
{
    struct listing l = {.hosts = json_object()};
    bool unreadable = false;
    for (; *words; words++)
        if (strcmp(*words, "--json") == 0 || strcmp(*words, "--format=json") == 0)
            l.json = true;
        else if (strcmp(*words, "--format") == 0 && words[1] && strcmp(words[1], "json") == 0)
            l.json = *words++ != NULL;
        else
            break;
    if (!*words || ((*words)[0] == '-' && (*words)[1])) {
        message_say("%s", usage);
        return COMMAND_USAGE;
    }
    for (; *words; words++)
        unreadable |= !list_file(&l, *words);
    json_decref(l.hosts);
    if (!l.json && !unreadable && l.count == 0)
        puts("no failures");
    return unreadable ? COMMAND_USAGE : l.count > 0;
}
