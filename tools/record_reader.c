/* SPDX-License-Identifier: MIT */
#include "record_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detrun/abi.h"
#include "record.h"
#include "values.h"

#define SEPARATOR  0x1e
#define LENGTH_MAX (2 * DETRUN_RECORD_SIZE) /* what the library may write, and what all have */

int record_reader_open(struct record_reader *r, const char *path, char *error, size_t room)
{
    bool standard = strcmp(path, "-") == 0;
    *r = (struct record_reader){.path = path, .next_line = 1};
    r->file = standard ? stdin : fopen(path, "re");
    if (r->file)
        return 0;
    snprintf(error, room, "cannot read \"%s\": %s", path, strerror(errno));
    return -1;
}

void record_reader_close(struct record_reader *r)
{
    if (r->file && r->file != stdin)
        fclose(r->file);
    free(r->text);
    *r = (struct record_reader){0};
}

static int fail(const struct record_reader *r, char *error, size_t room, const char *what)
{
    snprintf(error, room, "%s:%u: %s", r->path, r->line, what);
    return -1;
}

static bool add(struct record_reader *r, int c)
{
    if (r->length + 1 >= r->room) {
        size_t more = r->room ? r->room * 2 : 4096;
        char *text = realloc(r->text, more);
        if (!text)
            return false;
        r->text = text;
        r->room = more;
    }
    r->text[r->length++] = (char)c;
    r->text[r->length] = '\0';
    return true;
}

/* Empty lines and separators before the record. @return its first character, or EOF */
static int skip(struct record_reader *r)
{
    int c;
    r->separated = false;
    while ((c = getc_unlocked(r->file)) == '\n' || c == SEPARATOR) {
        r->next_line += c == '\n';
        r->separated = c == SEPARATOR || (r->separated && c == '\n');
    }
    return c;
}

/* Up to the end of the line; behind a separator, up to the next one. */
static const char *gather(struct record_reader *r, int c)
{
    r->length = 0;
    r->line = r->next_line;
    for (; c != EOF; c = getc_unlocked(r->file)) {
        r->next_line += c == '\n';
        if (c == SEPARATOR) {
            ungetc(c, r->file);
            return NULL;
        }
        if (c == '\n' && !r->separated)
            return NULL;
        if (c == '\0')
            return "not text: this is no file of records";
        if (r->length >= LENGTH_MAX)
            return "longer than any record is: this is no file of records";
        if (!add(r, c))
            return "out of memory";
    }
    return ferror(r->file) ? strerror(errno) : r->separated ? NULL : "";
}

static const char *check(const json_t *record)
{
    if (!json_is_object(record) || !json_is_string(json_object_get(record, "event")) ||
        !json_is_number(json_object_get(record, "schema_version")))
        return "JSON, but no record of detrun";
    if (record_number(record, "schema_version", 0) != RECORD_SCHEMA_VERSION)
        return "a record of another version; read it with the detrun that wrote it";
    return NULL;
}

int record_reader_next(struct record_reader *r, json_t **record, char *error, size_t room)
{
    json_error_t why;
    int c = skip(r);
    if (c == EOF && !ferror(r->file))
        return 0;
    const char *wrong = gather(r, c);
    bool cut = wrong && *wrong == '\0';
    if (wrong && !cut) {
        r->lost = true;
        return fail(r, error, room, wrong);
    }
    r->lost = cut;
    *record = json_loads(r->text, JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES, &why);
    if (!*record)
        return fail(r, error, room, cut ? "cut off: the writer was killed" : why.text);
    wrong = check(*record);
    if (!wrong)
        return 1;
    json_decref(*record);
    return fail(r, error, room, wrong);
}

const char *record_text(const json_t *record, const char *name, const char *missing)
{
    const json_t *value = json_object_get(record, name);
    return json_is_string(value) ? json_string_value(value) : missing;
}

static char *from_hex(const char *hex)
{
    size_t n = strlen(hex);
    char *bytes = n % 2 == 0 ? calloc(n / 2 + 1, 1) : NULL;
    for (size_t i = 0; bytes && i < n / 2; i++) {
        if (sscanf(hex + 2 * i, "%2hhx", (unsigned char *)bytes + i) == 1)
            continue;
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

char *record_word(const json_t *value)
{
    if (json_is_string(value))
        return strdup(json_string_value(value));
    const char *hex = record_text(value, "hex", NULL);
    return hex ? from_hex(hex) : NULL;
}

bool record_is(const json_t *record, const char *event)
{
    return strcmp(record_text(record, "event", ""), event) == 0;
}

bool record_u64(const json_t *record, const char *name, uint64_t *value)
{
    char exact[64];
    snprintf(exact, sizeof(exact), "%s_hex", name);
    return value_u64(record_text(record, exact, ""), value);
}

int64_t record_number(const json_t *record, const char *name, int64_t missing)
{
    const json_t *value = json_object_get(record, name);
    return json_is_number(value) ? (int64_t)json_number_value(value) : missing;
}
