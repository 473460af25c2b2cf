/* SPDX-License-Identifier: MIT */
/*
 * One failure among records, and those of its run. Runs write into one file at once: what belongs
 * together has one run_id and one number of the run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_reader.h"
#include "recorded.h"

struct search {
    struct recorded *found;
    unsigned wanted;
    unsigned count;
    json_t *starts; /**< by run_id */
    json_t *last_start;
    json_t *last;  /**< failure that was counted */
    json_t *texts; /**< of the starts, by run_id */
    char *last_start_text;
    const char *text; /**< of the record at hand */
};

static bool same(const json_t *a, const json_t *b, const char *name)
{
    const json_t *x = json_object_get(a, name);
    const json_t *y = json_object_get(b, name);
    return x == y || json_equal(x, y);
}

bool recorded_is_told(const json_t *record, const json_t *last)
{
    return last && recorded_iteration(record) == 0 && same(record, last, "run_id") &&
           same(record, last, "run") && recorded_iteration(last) != 0;
}

unsigned recorded_iteration(const json_t *failure)
{
    return (unsigned)record_number(failure, "iteration", 0);
}

static void keep(json_t **place, json_t *record)
{
    json_decref(*place);
    *place = json_incref(record);
}

/* A run of a repeat with --vary-seed has another seed than that one's start. */
static void take_start(struct search *s, const json_t *failure)
{
    const char *run_id = record_text(failure, "run_id", "");
    json_t *start = json_object_get(s->starts, run_id);
    const char *text = record_text(s->texts, run_id, s->last_start_text);
    s->found->start = json_incref(start ? start : s->last_start);
    s->found->start_text = text ? strdup(text) : NULL;
}

static void keep_text(char **place, const char *text)
{
    free(*place);
    *place = strdup(text);
}

static void take_failure(struct search *s, json_t *record)
{
    if (recorded_is_told(record, s->last))
        return;
    keep(&s->last, record);
    if (++s->count != s->wanted)
        return;
    keep(&s->found->failure, record);
    keep_text(&s->found->failure_text, s->text);
    take_start(s, record);
}

/* An iteration record of detrun repeat has the number that the run's own records have as "run". */
static bool is_its_end(const struct search *s, const json_t *record)
{
    const json_t *failure = s->found->failure;
    int64_t run = record_number(failure, "run", 0);
    if (!failure || s->found->end)
        return false;
    if (run == 0)
        return record_is(record, "end") && same(record, failure, "run_id");
    return record_is(record, "iteration") && record_number(record, "run", 0) == 0 &&
           record_number(record, "iteration", 0) == run;
}

static void take(struct search *s, json_t *record)
{
    if (record_is(record, "start")) {
        json_object_set(s->starts, record_text(record, "run_id", ""), record);
        json_object_set_new(s->texts, record_text(record, "run_id", ""), json_string(s->text));
        keep_text(&s->last_start_text, s->text);
        keep(&s->last_start, record);
    } else if (record_is(record, "failure")) {
        take_failure(s, record);
    } else if (is_its_end(s, record)) {
        keep(&s->found->end, record);
        keep_text(&s->found->end_text, s->text);
    }
}

static int read_all(struct search *s, const char *path, char *error, size_t room)
{
    struct record_reader r;
    json_t *record;
    int more = 1;
    if (record_reader_open(&r, path, error, room) != 0)
        return -1;
    while (!s->found->end && (more = record_reader_next(&r, &record, error, room)) > 0) {
        s->text = r.text;
        take(s, record);
        json_decref(record);
    }
    record_reader_close(&r);
    /* What was found before the writer was killed is good. */
    return more < 0 && !s->found->failure ? -1 : 0;
}

int recorded_find(struct recorded *found, const char *path, unsigned number, char *error,
                  size_t room)
{
    struct search s = {
        .found = found, .wanted = number, .starts = json_object(), .texts = json_object()};
    *found = (struct recorded){0};
    int result = read_all(&s, path, error, room);
    json_decref(s.starts);
    json_decref(s.texts);
    free(s.last_start_text);
    json_decref(s.last_start);
    json_decref(s.last);
    if (result == 0 && found->failure && found->start)
        return 0;
    if (result == 0 && found->failure)
        snprintf(error, room, "%s: the start of the run that failed is not in it", path);
    else if (result == 0)
        snprintf(error, room, "%s: there is no failure %u in it, but %u", path, number, s.count);
    recorded_free(found);
    return -1;
}

void recorded_free(struct recorded *found)
{
    json_decref(found->start);
    json_decref(found->failure);
    json_decref(found->end);
    free(found->start_text);
    free(found->failure_text);
    free(found->end_text);
    *found = (struct recorded){0};
}
