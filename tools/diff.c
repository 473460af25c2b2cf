/* SPDX-License-Identifier: MIT */
/*
 * detrun diff: the first changing boundary. Two traces, two files, or two folders with the stages
 * of a test in the order in which it makes them: what is the first that differs, and how?
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare.h"
#include "json.h"
#include "message.h"
#include "plan.h"
#include "record_diff.h"
#include "reply.h"
#include "report_diff.h"
#include "tools.h"
#include "trace_diff.h"
#include "verdict.h"

#define STAGES       REPORT_DIFF_STAGES
#define INCONCLUSIVE 3
#define FOLDERS_OPEN 64

static const char usage[] =
    "usage: detrun diff [--level bytes|order|values] [--format json] [--report DIR]\n"
    "                   [--stage NAME=PATH]... A B\n";

struct stage {
    char *name;
    char *path; /**< below both folders; "": they are files */
    struct comparison result;
};

struct diff {
    enum level level; /**< what may differ and still be the same */
    bool json;
    const char *a;
    const char *b;
    const char *report; /**< folder, or NULL */
    char *given;        /**< all words, for a shell */
    struct report_diff page;
    unsigned count;
    struct stage stages[STAGES];
};

static int complain(const char *line)
{
    message_say("%s", line);
    return -1;
}

static bool set_level(struct diff *d, const char *text)
{
    for (int i = LEVEL_BYTES; text && i < LEVEL_NONE; i++)
        if (strcmp(text, level_names[i]) == 0) {
            d->level = (enum level)i;
            return true;
        }
    return false;
}

static bool set_format(struct diff *d, const char *text)
{
    return reply_format(&d->json, text);
}

static bool set_report(struct diff *d, const char *text)
{
    d->report = text;
    return text && *text;
}

static bool add_stage(struct diff *d, const char *name, size_t length, const char *path)
{
    if (d->count == STAGES || length == 0 || !*path)
        return false;
    struct stage *s = &d->stages[d->count++];
    s->name = strndup(name, length);
    s->path = strdup(path);
    return s->name && s->path;
}

static bool set_stage(struct diff *d, const char *text)
{
    const char *equals = text ? strchr(text, '=') : NULL;
    return equals && add_stage(d, text, (size_t)(equals - text), equals + 1);
}

static const struct row {
    const char *name;
    bool (*set)(struct diff *d, const char *text);
    const char *what;
} rows[] = {
    {"--level", set_level, "bytes, order or values"},
    {"--format", set_format, "text or json"},
    {"--report", set_report, "a folder"},
    {"--stage", set_stage, "NAME=PATH, at most 4096 times"},
};

static const struct row *find(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, word, length) == 0)
            return &rows[i];
    return NULL;
}

/* @return how many words were taken, -1 after a message */
static int take_option(struct diff *d, char **words)
{
    size_t length = strcspn(words[0], "=");
    const struct row *row = find(words[0], length);
    bool joined = words[0][length] == '=';
    if (!row) {
        message_say("unknown option \"%s\"; see detrun diff --help", words[0]);
        return -1;
    }
    if (row->set(d, joined ? words[0] + length + 1 : words[1]))
        return joined ? 1 : 2;
    message_say("%s: give %s; see detrun diff --help", row->name, row->what);
    return -1;
}

static int parse(struct diff *d, char **words)
{
    while (*words && (*words)[0] == '-' && (*words)[1]) {
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        int taken = take_option(d, words);
        if (taken < 0)
            return -1;
        words += taken;
    }
    if (!words[0] || !words[1] || words[2])
        return complain("diff: give two files or two folders; see detrun diff --help");
    d->a = words[0];
    d->b = words[1];
    return 0;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct stage *)a)->name, ((const struct stage *)b)->name);
}

static bool is_known(const struct diff *d, const char *name)
{
    for (unsigned i = 0; i < d->count; i++)
        if (strcmp(d->stages[i].name, name) == 0)
            return true;
    return false;
}

/* Where nftw() is. */
static struct {
    struct diff *d;
    const char *folder;
} walk;

/* Links are not followed: what one to a folder says is compared. @return 0, or -1 after a message
 */
static int add_file(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    const char *name = path + strlen(walk.folder);
    name += strspn(name, "/");
    (void)status;
    (void)place;
    if (kind == FTW_D)
        return 0;
    if (kind == FTW_DNR || kind == FTW_NS) {
        message_say("cannot read \"%s\": %s", path, strerror(EACCES));
        return -1;
    }
    if (is_known(walk.d, name) || add_stage(walk.d, name, strlen(name), name))
        return 0;
    message_say("\"%s\" has more than %d files; name those that count with --stage", walk.folder,
                STAGES);
    return -1;
}

/* All files below it. @return 0, or -1 after a message */
static int add_folder(struct diff *d, const char *path)
{
    walk.d = d;
    walk.folder = path;
    errno = 0;
    int result = nftw(path, add_file, FOLDERS_OPEN, FTW_PHYS);
    if (result < 0 && errno != 0)
        message_say("cannot read \"%s\": %s", path, strerror(errno));
    return result;
}

static int choose_stages(struct diff *d)
{
    bool one = is_folder(d->a);
    bool two = is_folder(d->b);
    if (one != two)
        return complain("diff: one is a file and the other a folder");
    if (!one && d->count > 0)
        return complain("--stage: give two folders");
    if (!one) {
        d->count = 1;
        d->stages[0] = (struct stage){.name = strdup(d->a), .path = NULL};
        return d->stages[0].name ? 0 : complain("out of memory");
    }
    if (d->count > 0)
        return 0;
    if (add_folder(d, d->a) != 0 || add_folder(d, d->b) != 0)
        return -1;
    qsort(d->stages, d->count, sizeof(d->stages[0]), by_name);
    return 0;
}

/* @return whether there is something else than a file, and what it is */
static bool is_no_file(const char *path, char *text, size_t room)
{
    char target[DETRUN_PATH_SIZE] = "";
    struct stat status;
    struct stat followed;
    if (lstat(path, &status) != 0 || S_ISREG(status.st_mode))
        return false;
    if (S_ISLNK(status.st_mode)) {
        if (stat(path, &followed) == 0 && S_ISREG(followed.st_mode))
            return false;
        if (readlink(path, target, sizeof(target) - 1) < 0)
            return false;
        snprintf(text, room, "a link to %s\n", target);
        return true;
    }
    snprintf(text, room, "%s\n", S_ISDIR(status.st_mode) ? "a folder" : "no file");
    return true;
}

static int take_entry(struct artifact *artifact, const char *path)
{
    char text[DETRUN_PATH_SIZE + 32];
    if (!is_no_file(path, text, sizeof(text)))
        return artifact_take(artifact, path);
    *artifact = (struct artifact){.bytes = strdup(text), .length = strlen(text)};
    digest_bytes(text, strlen(text), artifact->digest);
    return artifact->bytes ? 0 : -ENOMEM;
}

/* @return 0, or -1 after a message */
static int take(struct artifact *artifact, const char *folder, const char *path, bool must_exist)
{
    char *whole = NULL;
    int n = path ? asprintf(&whole, "%s/%s", folder, path) : asprintf(&whole, "%s", folder);
    int error = n < 0  ? -ENOMEM
                : path ? take_entry(artifact, whole)
                       : artifact_take(artifact, whole);
    if (!error && must_exist && artifact->missing)
        error = -ENOENT;
    if (error)
        message_say("cannot read \"%s\": %s", n < 0 ? folder : whole, strerror(-error));
    free(whole);
    return error ? -1 : 0;
}

static int compare_stage(struct diff *d, struct stage *s)
{
    struct artifact sides[2] = {{0}};
    struct artifact *a = &sides[0];
    struct artifact *b = &sides[1];
    bool file = s->path == NULL;
    int result = take(a, d->a, s->path, file);
    if (result == 0)
        result = take(b, d->b, s->path, file);
    if (result == 0)
        compare(a, b, file ? d->a : s->path, &s->result);
    if (result == 0 && !file && a->missing && b->missing) {
        message_say("--stage %s: \"%s\" is in neither folder", s->name, s->path);
        result = -1;
    }
    if (result == 0)
        report_diff_take(&d->page, s->name, sides, &s->result, d->level);
    artifact_free(a);
    artifact_free(b);
    return result;
}

static bool is_same(const struct diff *d, const struct stage *s)
{
    return s->result.level <= d->level;
}

static void put_difference(const struct comparison *c)
{
    printf("  %s: %s", format_names[c->format], c->kind);
    if (c->where[0])
        printf(", at %s", c->where);
    printf("; bytes part at offset %zu, line %zu\n", c->first.offset, c->first.line);
    if (c->format != FORMAT_BINARY)
        printf("  - %s\n  + %s\n", c->first.a, c->first.b);
}

/* Files may have any name, and this may be a terminal. */
static void put_name(const struct stage *s)
{
    char escaped[DETRUN_PATH_SIZE];
    message_escape(escaped, sizeof(escaped), s->name);
    fputs(escaped, stdout);
}

/* What was the same before the first change is not to blame. */
static void put_text(const struct diff *d, unsigned first)
{
    for (unsigned i = 0; i < d->count; i++) {
        const struct stage *s = &d->stages[i];
        if (d->count > 1 || i == first) {
            put_name(s);
            puts(is_same(d, s) ? ": same" : ": differs");
        }
        if (i == first)
            put_difference(&s->result);
    }
    if (first == d->count) {
        verdict_put("same");
        printf(", at level %s\n", level_names[d->level]);
        return;
    }
    fputs("first change: ", stdout);
    put_name(&d->stages[first]);
    printf(": %s\n", d->stages[first].result.kind);
    if (first == 0)
        return;
    put_name(&d->stages[first - 1]);
    puts(" is the same: it is not to blame");
}

static void put_json_stage(const struct diff *d, const struct stage *s)
{
    const struct comparison *c = &s->result;
    fputs("{\"stage\":", stdout);
    json_put_text(stdout, s->name);
    printf(",\"same\":%s,\"level\":\"%s\"", is_same(d, s) ? "true" : "false",
           level_names[c->level]);
    if (c->level != LEVEL_BYTES) {
        printf(",\"format\":\"%s\",\"kind\":", format_names[c->format]);
        json_put_text(stdout, c->kind);
        fputs(",\"where\":", stdout);
        json_put_text(stdout, c->where);
        printf(",\"same_values\":%s,\"offset\":%zu,\"line\":%zu",
               c->same_values || c->level <= LEVEL_VALUES ? "true" : "false", c->first.offset,
               c->first.line);
    }
    putchar('}');
}

static void put_json(const struct diff *d, unsigned first)
{
    printf("{\"schema_version\":1,\"command\":\"diff\",\"verdict\":\"%s\",\"level\":\"%s\",\"first_"
           "change\":",
           d->count == 0       ? "inconclusive"
           : first == d->count ? "same"
                               : "diverged",
           level_names[d->level]);
    if (first == d->count)
        fputs("null", stdout);
    else
        json_put_text(stdout, d->stages[first].name);
    fputs(",\"stages\":[", stdout);
    for (unsigned i = 0; i < d->count; i++) {
        fputs(i ? "," : "", stdout);
        put_json_stage(d, &d->stages[i]);
    }
    printf("],\"status\":%d}\n", d->count == 0 ? INCONCLUSIVE : first != d->count);
}

static int report_traces(void *argument, const struct trace_comparison *c, int status)
{
    struct diff *d = argument;
    return report_diff_traces(&d->page, c, status, d->given);
}

int tool_diff(char **words)
{
    static struct diff d;
    unsigned first;
    int result = parse(&d, words);
    if (result != 0)
        return result > 0 ? 0 : COMMAND_USAGE;
    d.given = plan_quote(words);
    if (trace_is_one(d.a) && trace_is_one(d.b))
        return report_diff_open(&d.page, d.report) == 0
                   ? trace_diff(d.a, d.b, d.json, report_traces, &d)
                   : COMMAND_USAGE;
    if (!d.report && d.count == 0 && record_diff_is_one(d.a) && record_diff_is_one(d.b))
        return record_diff(d.a, d.b, d.json);
    if (choose_stages(&d) != 0 || report_diff_open(&d.page, d.report) != 0)
        return COMMAND_USAGE;
    for (unsigned i = 0; i < d.count; i++)
        if (compare_stage(&d, &d.stages[i]) != 0)
            return COMMAND_USAGE;
    const char *const names[] = {d.a, d.b};
    if (report_diff_close(&d.page, names, d.level, d.given) != 0)
        return COMMAND_USAGE;
    if (d.count == 0 && !d.json) {
        verdict_put("inconclusive");
        puts(": there is nothing to compare");
        return INCONCLUSIVE;
    }
    for (first = 0; first < d.count && is_same(&d, &d.stages[first]); first++)
        ;
    if (d.json)
        put_json(&d, first);
    else
        put_text(&d, first);
    return d.count == 0 ? INCONCLUSIVE : first < d.count;
}
