/* SPDX-License-Identifier: MIT */
#include "stages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_reader.h"

struct note {
    char *name; /**< with its number, where it is not the first of that name */
    char *task;
    int64_t seq;
    char text[64]; /**< length and digest */
};

struct stages {
    struct note *notes;
    size_t count;
};

static char *name_of(const json_t *record)
{
    int64_t index = record_number(record, "index", 0);
    const char *text = record_text(record, "name", "");
    char *name = NULL;
    int n =
        index > 0 ? asprintf(&name, "%s[%" PRId64 "]", text, index) : asprintf(&name, "%s", text);
    return n < 0 ? NULL : name;
}

static int add(struct stages *s, const json_t *record)
{
    struct note *notes = reallocarray(s->notes, s->count + 1, sizeof(*notes));
    if (!notes)
        return -ENOMEM;
    s->notes = notes;
    struct note *note = &notes[s->count];
    *note = (struct note){.name = name_of(record),
                          .task = strdup(record_text(record, "task", "")),
                          .seq = record_number(record, "seq", 0)};
    snprintf(note->text, sizeof(note->text), "%" PRId64 " bytes, %.32s",
             record_number(record, "bytes", 0), record_text(record, "xxh3", ""));
    s->count++;
    return note->name && note->task ? 0 : -ENOMEM;
}

/* Tasks write as they come, so that only their places give them an order: 1.2 before 1.10. */
static int compare_notes(const void *a, const void *b)
{
    const struct note *x = a;
    const struct note *y = b;
    int tasks = strverscmp(x->task, y->task);
    if (tasks != 0)
        return tasks;
    return (x->seq > y->seq) - (x->seq < y->seq);
}

static int read_all(struct stages *s, int records)
{
    struct record_reader r;
    char error[512];
    char path[32];
    json_t *record;
    int result = 0;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", records);
    if (record_reader_open(&r, path, error, sizeof(error)) != 0)
        return 0;
    while (result == 0 && record_reader_next(&r, &record, error, sizeof(error)) > 0) {
        if (record_is(record, "stage"))
            result = add(s, record);
        json_decref(record);
    }
    record_reader_close(&r);
    if (s->count > 0)
        qsort(s->notes, s->count, sizeof(*s->notes), compare_notes);
    return result;
}

static void free_all(struct stages *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->notes[i].name);
        free(s->notes[i].task);
    }
    free(s->notes);
}

int stages_take(struct artifact *a, int records)
{
    struct stages s = {0};
    size_t size = 0;
    *a = (struct artifact){0};
    int error = read_all(&s, records);
    FILE *out = error || s.count == 0 ? NULL : open_memstream(&a->bytes, &size);
    for (size_t i = 0; out && i < s.count; i++)
        fprintf(out, "%s: %s\n", s.notes[i].name, s.notes[i].text);
    if (s.count > 0 && (!out || fclose(out) != 0))
        error = -ENOMEM;
    free_all(&s);
    a->length = error ? 0 : size;
    digest_bytes(a->bytes, a->length, a->digest);
    return error;
}
