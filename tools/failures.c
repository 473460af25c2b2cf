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

static void put_value(const char *name, const json_t *value)
{
    char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    printf(" %s=%s", name, text ? text : json_string_value(value));
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
    json_array_foreach(hosts, i, host) printf(" %s", json_string_value(host));
    putchar('\n');
}

static void put_calls(const json_t *calls)
{
    size_t i;
    json_t *call;
    json_array_foreach(calls, i, call) printf(
        "  call:      %s: %s%s\n", record_text(call, "host", "?"), record_text(call, "text", ""),
        json_is_false(json_object_get(call, "ok")) ? " (failed)" : "");
}

static void put_line(const char *name, const char *text)
{
    if (*text)
        printf("  %-10s %s\n", name, text);
}

static void put_failure(struct listing *l, const json_t *record, const char *path)
{
    int64_t iteration = record_number(record, "iteration", 0);
    int64_t run = record_number(record, "run", 0);
    const char *host =
        json_string_value(json_object_get(l->hosts, record_text(record, "run_id", "")));
    printf("%u. %s", l->count, record_text(record, "test_name", "?"));
    if (iteration > 0)
        printf(", iteration %lld", (long long)iteration);
    if (run > 0)
        printf(", run %lld", (long long)run);
    printf(": %s\n", record_text(record, "reason", "?"));
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

static int list_file(struct listing *l, const char *path)
{
    char error[512];
    struct record_reader r;
    json_t *record;
    json_t *last = NULL;
    int more = record_reader_open(&r, path, error, sizeof(error));
    while (more == 0 && (more = record_reader_next(&r, &record, error, sizeof(error))) > 0) {
        note_host(l, record);
        if (record_is(record, "failure") && !recorded_is_told(record, last)) {
            l->count++;
            if (l->json)
                put_json(l, record, &r);
            else
                put_failure(l, record, path);
            json_decref(last);
            last = json_incref(record);
        }
        json_decref(record);
        more = 0;
    }
    json_decref(last);
    record_reader_close(&r);
    if (more < 0)
        message_say("%s", error);
    return more;
}

int tool_failures(char **words)
{
    struct listing l = {.hosts = json_object()};
    bool unreadable = false;
    for (; *words && strcmp(*words, "--json") == 0; words++)
        l.json = true;
    if (!*words || ((*words)[0] == '-' && (*words)[1])) {
        message_say("%s", usage);
        return COMMAND_USAGE;
    }
    for (; *words; words++)
        unreadable |= list_file(&l, *words) < 0;
    json_decref(l.hosts);
    if (!l.json && !unreadable && l.count == 0)
        puts("no failures");
    return unreadable ? COMMAND_USAGE : l.count > 0;
}
