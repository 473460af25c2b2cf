/* SPDX-License-Identifier: MIT */
#include "record_diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "json.h"
#include "message.h"
#include "record_reader.h"
#include "tools.h"

#define TEXT_MAX 256

struct change {
    unsigned record; /**< from 1; 0: none */
    char event[64];
    char path[TEXT_MAX]; /**< of the member: calls[1].text; "": the whole record */
    const char *kind;
    char a[TEXT_MAX];
    char b[TEXT_MAX];
};

bool record_diff_is_one(const char *path)
{
    struct record_reader r;
    char error[512];
    json_t *record = NULL;
    if (strcmp(path, "-") == 0 || record_reader_open(&r, path, error, sizeof(error)) != 0)
        return false;
    bool is_one = record_reader_next(&r, &record, error, sizeof(error)) > 0;
    json_decref(record);
    record_reader_close(&r);
    return is_one;
}

static void put_value(char text[TEXT_MAX], const json_t *value)
{
    char *whole =
        value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    message_escape(text, TEXT_MAX, whole ? whole : "(none)");
    free(whole);
}

static bool is_empty(const json_t *value)
{
    return json_is_string(value) && json_string_length(value) == 0;
}

static const char *kind_of(const json_t *a, const json_t *b)
{
    if (!a || !b)
        return a ? "only in the first" : "only in the second";
    if ((json_is_null(a) && is_empty(b)) || (is_empty(a) && json_is_null(b)))
        return "null against an empty string";
    if (json_is_string(a) && json_is_string(b) &&
        strcasecmp(json_string_value(a), json_string_value(b)) == 0)
        return "letter case";
    return "values";
}

static void append(char path[TEXT_MAX], const char *name, size_t index)
{
    size_t used = strlen(path);
    if (name)
        snprintf(path + used, TEXT_MAX - used, "%s%s", used ? "." : "", name);
    else
        snprintf(path + used, TEXT_MAX - used, "[%zu]", index);
}

/* One level down. @return false: they differ as a whole */
static bool go_into(const json_t **a, const json_t **b, char path[TEXT_MAX])
{
    const char *name;
    json_t *value;
    if (json_is_array(*a) && json_is_array(*b)) {
        size_t i = 0;
        while (json_equal(json_array_get(*a, i), json_array_get(*b, i)))
            i++;
        append(path, NULL, i);
        *a = json_array_get(*a, i);
        *b = json_array_get(*b, i);
        return true;
    }
    if (!json_is_object(*a) || !json_is_object(*b))
        return false;
    for (int side = 0; side < 2; side++)
        json_object_foreach((json_t *)(side ? *b : *a), name, value)
        {
            json_t *one = json_object_get(*a, name);
            json_t *two = json_object_get(*b, name);
            if (json_equal(one, two))
                continue;
            append(path, name, 0);
            *a = one;
            *b = two;
            return true;
        }
    return false;
}

static void describe(struct change *c, unsigned number, const json_t *a, const json_t *b)
{
    c->record = number;
    snprintf(c->event, sizeof(c->event), "%s", record_text(a ? a : b, "event", "?"));
    while (a && b && go_into(&a, &b, c->path))
        ;
    c->kind = kind_of(a, b);
    put_value(c->a, a);
    put_value(c->b, b);
}

/* @return 1, 0 at the end, -1 after a message */
static int next(struct record_reader *r, json_t **record)
{
    char error[512];
    *record = NULL;
    int more = record_reader_next(r, record, error, sizeof(error));
    if (more < 0)
        message_say("%s", error);
    if (more > 0)
        json_object_del(*record, "volatile");
    return more;
}

/* @return how many records were compared, or -1 after a message */
static int64_t compare_all(struct record_reader *a, struct record_reader *b, struct change *c)
{
    for (unsigned number = 1;; number++) {
        json_t *one;
        json_t *two;
        int first = next(a, &one);
        int second = first < 0 ? -1 : next(b, &two);
        if (first < 0 || second < 0) {
            json_decref(one);
            return -1;
        }
        if (first == 0 && second == 0)
            return number - 1;
        bool same = first && second && json_equal(one, two);
        if (!same)
            describe(c, number, one, two);
        json_decref(one);
        json_decref(two);
        if (!same)
            return number;
    }
}

static void say(const struct change *c, int64_t records)
{
    if (c->record == 0) {
        printf("same: %lld records\n", (long long)records);
        return;
    }
    printf("first change: record %u, %s%s%s: %s\n  - %s\n  + %s\n", c->record, c->event,
           *c->path ? ", " : "", c->path, c->kind, c->a, c->b);
}

static void put_member(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    json_put_text(stdout, text);
}

static void say_json(const struct change *c, int64_t records)
{
    printf("{\"schema_version\":1,\"command\":\"diff\",\"verdict\":\"%s\",\"records\":%lld"
           ",\"first_change\":",
           c->record ? "diverged" : "same", (long long)records);
    if (c->record) {
        printf("{\"record\":%u", c->record);
        put_member("event", c->event);
        put_member("path", c->path);
        put_member("kind", c->kind);
        put_member("a", c->a);
        put_member("b", c->b);
        putchar('}');
    } else {
        fputs("null", stdout);
    }
    printf(",\"status\":%d}\n", c->record != 0);
}

int record_diff(const char *a, const char *b, bool as_json)
{
    struct record_reader first = {0};
    struct record_reader second = {0};
    struct change c = {0};
    char error[512];
    int64_t records = -1;
    if (record_reader_open(&first, a, error, sizeof(error)) != 0 ||
        record_reader_open(&second, b, error, sizeof(error)) != 0)
        message_say("%s", error);
    else
        records = compare_all(&first, &second, &c);
    record_reader_close(&first);
    record_reader_close(&second);
    if (records < 0)
        return COMMAND_USAGE;
    if (as_json)
        say_json(&c, records);
    else
        say(&c, records);
    return c.record != 0;
}
