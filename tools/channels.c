/* SPDX-License-Identifier: MIT */
#include "channels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "record.h"
#include "stages.h"

bool channels_add_file(struct channels *c, const char *path)
{
    if (c->files == CHANNELS_FILES || *path == '\0')
        return false;
    c->paths[c->files++] = path;
    return true;
}

bool channels_set_level(struct channels *c, const char *name)
{
    for (int i = LEVEL_BYTES; i < LEVEL_NONE; i++)
        if (strcmp(name, level_names[i]) == 0) {
            c->level = (enum level)i;
            return true;
        }
    return false;
}

unsigned channels_count(const struct channels *c)
{
    return c->files + CHANNELS_OWN;
}

const char *channels_name(const struct channels *c, unsigned channel)
{
    static const char *const names[CHANNELS_OWN] = {"stages", "stdout", "stderr", "exit"};
    return channel < c->files ? c->paths[channel] : names[channel - c->files];
}

bool channels_is_used(const struct channels *c, unsigned channel)
{
    return channel != c->files || c->staged;
}

/* The way it ended, as a text like the others. */
static int take_end(struct artifact *a, const struct iteration *i)
{
    char text[64];
    int n = i->signal ? snprintf(text, sizeof(text), "signal %d\n", i->signal)
                      : snprintf(text, sizeof(text), "exit status %d\n", i->status);
    *a = (struct artifact){.bytes = strdup(text), .length = (size_t)n};
    if (!a->bytes)
        return -1;
    digest_bytes(a->bytes, a->length, a->digest);
    return 0;
}

/* @return 0, or -1 after a message */
static int take_all(const struct channels *c, const struct iteration *i, struct artifact *taken)
{
    struct artifact *own = taken + c->files;
    int error = stages_take(&own[0], i->records);
    if (!error)
        error = artifact_take_descriptor(&own[1], i->out);
    if (!error)
        error = artifact_take_descriptor(&own[2], i->err);
    if (!error)
        error = take_end(&own[3], i);
    if (error)
        message_say("cannot read what run %" PRIu64 " wrote", i->number);
    for (unsigned k = 0; k < c->files && !error; k++) {
        error = artifact_take(&taken[k], c->paths[k]);
        if (error)
            message_say("--artifact: cannot read \"%s\": %s", c->paths[k], strerror(-error));
    }
    return error ? -1 : 0;
}

/* @return whether this is the first run that differs from the first of all */
static bool compare_all(struct channels *c, const struct iteration *i, const struct artifact *taken)
{
    bool first = false;
    for (unsigned k = 0; k < channels_count(c); k++) {
        struct comparison how;
        compare(&c->first[k], &taken[k], channels_name(c, k), &how);
        bool counts = !c->only_end || k == channels_count(c) - 1;
        c->last[k].differs = counts && how.level > c->level;
        c->differing[k] += c->last[k].differs;
        if (!c->last[k].differs || c->diverged != 0)
            continue;
        first = true;
        c->diverged = i->number;
        c->channel = k;
        c->how = how;
    }
    if (strcmp(c->inputs, i->inputs) != 0 && c->other_inputs == 0)
        c->other_inputs = i->number;
    return first;
}

const char *channels_nothing(const struct channels *c)
{
    static char text[512];
    if (c->diverged != 0)
        return NULL;
    if (c->not_run != 0)
        return "the command was skipped, or could not be run";
    for (unsigned k = 0; k < c->files; k++)
        if (c->first[k].missing) {
            snprintf(text, sizeof(text), "there never was a \"%.400s\"", channels_name(c, k));
            return text;
        }
    return NULL;
}

void channels_restart(struct channels *c)
{
    for (unsigned k = 0; k < CHANNELS_MAX; k++)
        if (c->first[k].bytes != c->pair[0][k].bytes)
            artifact_free(&c->first[k]);
    trace_channel_restart(&c->traces);
    c->runs = 0;
}

void channels_take(struct channels *c, const struct iteration *i)
{
    struct artifact taken[CHANNELS_MAX] = {{0}};
    struct artifact *kept = NULL;
    c->not_run += !iteration_was_run(i);
    c->failed = take_all(c, i, taken) != 0;
    c->staged = c->staged || taken[c->files].length > 0;
    for (unsigned k = 0; k < channels_count(c); k++)
        c->last[k] = (struct channel){.missing = taken[k].missing, .length = taken[k].length};
    if (c->runs++ == 0) {
        memcpy(c->inputs, i->inputs, sizeof(c->inputs));
        kept = c->first;
    } else if (compare_all(c, i, taken)) {
        memcpy(c->pair[0], c->first, sizeof(c->first));
        kept = c->pair[1];
    }
    trace_channel_take(&c->traces, i, c->diverged == i->number);
    for (unsigned k = 0; k < CHANNELS_MAX; k++)
        if (kept)
            kept[k] = taken[k];
        else
            artifact_free(&taken[k]);
}

void channels_say(const struct channels *c)
{
    const struct comparison *how = &c->how;
    printf("part in %s at byte %zu, line %zu (%s%s%s):\n", channels_name(c, c->channel),
           how->first.offset, how->first.line, how->kind, how->where[0] ? ", at " : "", how->where);
    if (how->format != FORMAT_BINARY)
        printf("  - %s\n  + %s\n", how->first.a, how->first.b);
    for (unsigned k = 0; k < channels_count(c); k++)
        if (c->differing[k] != 0)
            printf("%s: differs in %" PRIu64 " of %" PRIu64 " runs\n", channels_name(c, k),
                   c->differing[k], c->runs - 1);
}

static void put_members(FILE *out, const struct channels *c)
{
    const char *cause = trace_channel_cause(&c->traces);
    record_put_text(out, "stage", channels_name(c, c->channel));
    fprintf(out, ",\"index\":%" PRIu64 ",\"offset\":%zu,\"line\":%zu", c->diverged,
            c->how.first.offset, c->how.first.line);
    record_put_text(out, "baseline", c->pair[0][c->channel].digest);
    record_put_text(out, "candidate", c->pair[1][c->channel].digest);
    record_put_text(out, "kind", c->how.kind);
    record_put_text(out, "likely_cause",
                    cause             ? cause
                    : c->other_inputs ? "an order that is not controlled"
                                      : "something that is not controlled");
}

void channels_record(const struct channels *c, struct runner *r)
{
    struct record record;
    if (c->diverged == 0 || run_record_begin(&r->job, &record, "divergence") != 0)
        return;
    put_members(record.out, c);
    run_record_finish(&r->job, &record);
}

void channels_put_divergence(FILE *out, const struct channels *c)
{
    if (c->diverged == 0) {
        fputs(",\"divergence\":null", out);
        return;
    }
    fprintf(out, ",\"divergence\":{\"run\":%" PRIu64, c->diverged);
    put_members(out, c);
    fputc('}', out);
}
