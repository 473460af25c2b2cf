/* SPDX-License-Identifier: MIT */
#include "expectation.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "config.h"
#include "json.h"
#include "message.h"
#include "record_reader.h"

#define TEXT_MAX 256 /* artefacts up to this long stand in the file as they are */
#define VERSION  1

static json_t *describe(const struct artifact *a)
{
    json_t *channel = json_object();
    if (a->missing) {
        json_object_set_new(channel, "missing", json_true());
        return channel;
    }
    json_object_set_new(channel, "xxh3", json_string(a->digest));
    json_object_set_new(channel, "bytes", json_integer((json_int_t)a->length));
    if (a->length > 0 && a->length <= TEXT_MAX)
        json_object_set_new(channel, "text", json_stringn(a->bytes, a->length));
    return channel;
}

static json_t *describe_all(const struct verify *v)
{
    json_t *stages = json_object();
    for (unsigned k = 0; k < channels_count(&v->channels); k++)
        if (channels_is_used(&v->channels, k))
            json_object_set_new(stages, channels_name(&v->channels, k),
                                describe(&v->channels.first[k]));
    return stages;
}

static void add_option(const char *name, const char *text, void *options)
{
    json_object_set_new(options, name, json_string(text));
}

static json_t *make(const struct verify *v)
{
    json_t *command = json_array();
    json_t *options = json_object();
    for (char **word = v->plan.options.command; *word; word++)
        json_array_append_new(command, json_string(*word));
    config_each_given(&v->plan.options, add_option, options);
    return json_pack("{s:i,s:i,s:o,s:o,s:s,s:o,s:[]}", "expectation_version", VERSION,
                     "stream_version", (int)DETRUN_STREAM_VERSION, "command", command, "options",
                     options, "level", level_names[v->channels.level], "stages", describe_all(v),
                     "history");
}

/* The old one is whole until the new one is. */
static int store(const json_t *expected, const char *path)
{
    char *other = NULL;
    if (asprintf(&other, "%s.new", path) < 0)
        return -ENOMEM;
    int error = json_dump_file(expected, other, JSON_INDENT(2)) == 0 ? 0 : -EIO;
    if (!error && rename(other, path) != 0)
        error = -errno;
    if (error)
        unlink(other);
    free(other);
    if (error)
        message_say("--expect: cannot write \"%s\": %s", path, strerror(-error));
    return error;
}

/* Old and new digests, and why. */
static void append_history(json_t *made, const json_t *old, const char *reason)
{
    json_t *history = json_deep_copy(json_object_get(old, "history"));
    json_t *entry = json_pack("{s:s,s:o,s:o}", "reason", reason, "old",
                              json_deep_copy(json_object_get(old, "stages")), "new",
                              json_deep_copy(json_object_get(made, "stages")));
    if (!json_is_array(history)) {
        json_decref(history);
        history = json_array();
    }
    json_array_append_new(history, entry);
    json_object_set_new(made, "history", history);
}

static bool compare_stage(const char *name, const json_t *expected, const json_t *now)
{
    if (json_equal(expected, now))
        return true;
    const char *text = record_text(expected, "text", NULL);
    const char *other = record_text(now, "text", NULL);
    printf("not as expected: %s (expected %s, now %s)\n", name,
           record_text(expected, "xxh3", "nothing"), record_text(now, "xxh3", "nothing"));
    if (text && other)
        printf("  - %s  + %s", text, other);
    return false;
}

static int compare_stages(const json_t *expected, json_t *now)
{
    json_t *stages = json_object_get(now, "stages");
    const json_t *wanted = json_object_get(expected, "stages");
    const char *name;
    json_t *stage;
    int status = 0;
    if (!json_equal(json_object_get(expected, "command"), json_object_get(now, "command")))
        puts("note: it was written for another command");
    if (!json_equal(json_object_get(expected, "options"), json_object_get(now, "options")))
        puts("note: it was written with other options");
    json_object_foreach(stages, name, stage)
    {
        if (!compare_stage(name, json_object_get(wanted, name), stage))
            status = 1;
    }
    if (status == 0)
        puts("as expected");
    return status;
}

/* @return the file's object; NULL after a message, or with *absent where there is none */
static json_t *load(const char *path, bool *absent)
{
    json_error_t why;
    *absent = access(path, F_OK) != 0 && errno == ENOENT;
    json_t *expected = *absent ? NULL : json_load_file(path, 0, &why);
    if (!expected && !*absent)
        message_say("%s:%d: %s; mend the file, or write it again with --update --reason TEXT", path,
                    why.line, why.text);
    if (expected && record_number(expected, "expectation_version", 0) == VERSION)
        return expected;
    if (expected)
        message_say("%s: this is no file of expected results", path);
    json_decref(expected);
    return NULL;
}

static int check_loaded(const struct verify *v, json_t *expected, json_t *now)
{
    if (v->update) {
        append_history(now, expected, v->reason);
        printf("updated: %s\n", v->expect);
        return store(now, v->expect) ? COMMAND_USAGE : 0;
    }
    if (record_number(expected, "stream_version", 0) != DETRUN_STREAM_VERSION) {
        message_say("%s: for stream_version %d, and this detrun has %u: its answers are others; "
                    "write it again with --update --reason TEXT",
                    v->expect, (int)record_number(expected, "stream_version", 0),
                    DETRUN_STREAM_VERSION);
        return COMMAND_USAGE;
    }
    return compare_stages(expected, now);
}

int expectation_check(const struct verify *v)
{
    bool absent;
    json_t *expected = load(v->expect, &absent);
    json_t *now = make(v);
    int status = COMMAND_USAGE;
    if (!now) {
        message_say("--expect: what the command left cannot be described in JSON");
    } else if (expected) {
        status = check_loaded(v, expected, now);
    } else if (absent && (v->write || v->update)) {
        status = store(now, v->expect) ? COMMAND_USAGE : 0;
        printf("written: %s\n", v->expect);
    } else if (absent) {
        message_say("--expect: there is no \"%s\"; --write makes it", v->expect);
    }
    json_decref(expected);
    json_decref(now);
    return status;
}
