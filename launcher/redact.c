/* SPDX-License-Identifier: MIT */
#include "redact.h"

#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "json.h"

/* Members whose texts detrun makes itself, of a closed set of words or of digits alone. */
static const char *const own[] = {
    "algorithm", "clock_scope", "conditions",    "config_sha256", "event",   "hash",
    "hex",       "kind",        "lanes",         "level",         "mode",    "phase",
    "result",    "run_id",      "seed_encoding", "seed_source",   "started", "state",
    "task",      "ts",          "verdict",       "wait"};
static const char *const own_ends[] = {"_hex", "xxh3", "_digest"};

/* Members of a record whose own members have names of the user. */
static const char *const free_names[] = {"input", "labels", "options", "snapshot", "values"};

#define COUNT(array)    (sizeof(array) / sizeof((array)[0]))
#define NAME_MAX_LENGTH 32

struct scan {
    FILE *out;
    const regex_t *regex;
    char name[NAME_MAX_LENGTH]; /**< of the last member */
    unsigned depth;             /**< of objects */
    bool is_free;               /**< in a member whose names are not ours */
    bool found;
};

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name);
    size_t n = strlen(end);
    return length >= n && strcmp(name + length - n, end) == 0;
}

static bool is_own(const struct scan *s)
{
    if (s->is_free)
        return s->depth == 3 && strcmp(s->name, "hex") == 0;
    for (size_t i = 0; i < COUNT(own_ends); i++)
        if (ends_with(s->name, own_ends[i]))
            return true;
    return is_one_of(s->name, own, COUNT(own));
}

/* @return whether something was found */
static bool put_piece(FILE *out, const regex_t *regex, const char *text, int flags)
{
    bool found = false;
    regmatch_t match;
    for (; *text && regexec(regex, text, 1, &match, flags) == 0; flags = REG_NOTBOL) {
        fwrite(text, 1, (size_t)match.rm_so, out);
        text += match.rm_eo;
        if (match.rm_eo > match.rm_so) {
            fputs(REDACTED, out);
            found = true;
        } else if (*text) {
            fputc(*text++, out);
        }
    }
    fputs(text, out);
    return found;
}

/* What stands there for something that was found before is no text to look at.
 * @return the text without what was found; NULL: out of memory */
static char *without(const regex_t *regex, const char *text, bool *found)
{
    char *result = NULL;
    size_t size = 0;
    AUTO_FREE char *copy = strdup(text);
    FILE *out = copy ? open_memstream(&result, &size) : NULL;
    if (!out)
        return NULL;
    char *mark;
    char *piece = copy;
    for (; (mark = strstr(piece, REDACTED)) != NULL; piece = mark + strlen(REDACTED)) {
        *mark = '\0';
        *found = put_piece(out, regex, piece, piece == copy ? 0 : REG_NOTBOL) || *found;
        fputs(REDACTED, out);
    }
    *found = put_piece(out, regex, piece, piece == copy ? 0 : REG_NOTBOL) || *found;
    return fclose(out) == 0 ? result : NULL;
}

/* @return where the string ends that begins at `at`: on its closing quote */
static const char *end_of_string(const char *at)
{
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

/* A place for NUL in texts there is not. */
static void put_utf8(FILE *out, unsigned c)
{
    c = c ? c : 0xfffd;
    if (c < 0x80) {
        fputc((int)c, out);
    } else if (c < 0x800) {
        fprintf(out, "%c%c", 0xc0 | c >> 6, 0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        fprintf(out, "%c%c%c", 0xe0 | c >> 12, 0x80 | (c >> 6 & 0x3f), 0x80 | (c & 0x3f));
    } else {
        fprintf(out, "%c%c%c%c", 0xf0 | c >> 18, 0x80 | (c >> 12 & 0x3f), 0x80 | (c >> 6 & 0x3f),
                0x80 | (c & 0x3f));
    }
}

/* \uXXXX, or two of them: RFC 8259, section 7. @return behind it */
static const char *put_escaped(FILE *out, const char *at)
{
    static const char names[] = "\"\\/bfnrt";
    static const char characters[] = "\"\\/\b\f\n\r\t";
    const char *name = strchr(names, at[1]);
    unsigned c = 0xfffd;
    unsigned low;
    int n = 0;
    if (at[1] && name) {
        fputc(characters[name - names], out);
        return at + 2;
    }
    if (sscanf(at, "\\u%4x%n", &c, &n) != 1)
        n = 1;
    if (c >= 0xd800 && c < 0xdc00 && sscanf(at + n, "\\u%4x", &low) == 1 && low >= 0xdc00 &&
        low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        n += 6;
    }
    put_utf8(out, c);
    return at + n;
}

/* @return what the string says; NULL: out of memory */
static char *decode(const char *at, const char *end)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    while (at < end)
        if (*at == '\\')
            at = put_escaped(out, at);
        else
            fputc(*at++, out);
    return fclose(out) == 0 ? text : NULL;
}

/* @return false: out of memory */
static bool put_value(struct scan *s, const char *at, const char *end)
{
    bool found = false;
    AUTO_FREE char *text = decode(at, end);
    AUTO_FREE char *left = text ? without(s->regex, text, &found) : NULL;
    if (!left)
        return false;
    s->found = s->found || strstr(left, REDACTED);
    if (found)
        json_put_text(s->out, left);
    else
        fprintf(s->out, "\"%.*s\"", (int)(end - at), at);
    return true;
}

/* @return behind the string; NULL: out of memory */
static const char *put_string(struct scan *s, const char *quote)
{
    const char *at = quote + 1;
    const char *end = end_of_string(at);
    const char *behind = *end ? end + 1 : end;
    bool is_name = *behind == ':';
    if (is_name)
        snprintf(s->name, sizeof(s->name), "%.*s", (int)(end - at), at);
    if (!is_name && !is_own(s))
        return put_value(s, at, end) ? behind : NULL;
    fwrite(quote, 1, (size_t)(behind - quote), s->out);
    return behind;
}

static void put_other(struct scan *s, char c)
{
    s->depth += c == '{';
    s->depth -= c == '}';
    if (c == '{' && s->depth == 2)
        s->is_free = is_one_of(s->name, free_names, COUNT(free_names));
    if (c == '}' && s->depth == 1)
        s->is_free = false;
    fputc(c, s->out);
}

static bool scan(struct scan *s, const char *record)
{
    const char *at = record;
    while (at && *at)
        if (*at == '"')
            at = put_string(s, at);
        else
            put_other(s, *at++);
    if (s->found)
        fputs(",\"redacted\":true", s->out);
    return at != NULL;
}

/* @return false: out of memory, for --redact was checked */
static bool compile(regex_t *regex, const char *pattern)
{
    return regcomp(regex, pattern, REG_EXTENDED) == 0;
}

char *redact_text(const char *pattern, const char *text)
{
    regex_t regex;
    bool found = false;
    if (*pattern == '\0')
        return strdup(text);
    if (!compile(&regex, pattern))
        return NULL;
    char *result = without(&regex, text, &found);
    regfree(&regex);
    return result;
}

char *redact_record(const char *pattern, const char *record)
{
    regex_t regex;
    char *result = NULL;
    size_t size = 0;
    struct scan s = {.regex = &regex};
    if (*pattern == '\0')
        return strdup(record);
    if (!compile(&regex, pattern))
        return NULL;
    s.out = open_memstream(&result, &size);
    bool good = s.out && scan(&s, record);
    if (s.out && fclose(s.out) != 0)
        good = false;
    regfree(&regex);
    if (!good) {
        free(result);
        return NULL;
    }
    return result;
}
