/* SPDX-License-Identifier: MIT */
#include "trace_text.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "json.h"
#include "message.h"

#define SECOND INT64_C(1000000000)

const char *const trace_kind_names[TRACE_KINDS] = {
    "nothing", "text",  "clock",   "bytes", "call",  "listing",
    "open",    "write", "program", "exit",  "state",
};

#define DATE 48

/* @return false: it is none */
static bool put_date(char date[DATE], int64_t ns)
{
    time_t seconds = (time_t)(ns / SECOND);
    struct tm tm;
    size_t n = gmtime_r(&seconds, &tm) ? strftime(date, DATE, "%Y-%m-%dT%H:%M:%S", &tm) : 0;
    if (n > 0)
        snprintf(date + n, DATE - n, ".%09" PRId64 "Z", ns % SECOND);
    return n > 0;
}

static void put_time(char *words, size_t room, const char *source, int64_t ns)
{
    char date[DATE];
    if (strcmp(source, "wall") == 0 && put_date(date, ns))
        snprintf(words, room, "clock %s %s", source, date);
    else
        snprintf(words, room, "clock %s %" PRId64 ".%09" PRId64 " s", source, ns / SECOND,
                 ns % SECOND);
}

static const char *stream_name(unsigned stream)
{
    static const char *const names[DETRUN_STREAMS] = {
        [DETRUN_STREAM_RANDOM] = "getrandom",
        [DETRUN_STREAM_DEVICE] = "a random device",
        [DETRUN_STREAM_UUID] = "a UUID of the kernel's",
        [DETRUN_STREAM_PORT] = "ports",
    };
    return stream < DETRUN_STREAMS && names[stream] ? names[stream] : "?";
}

static void put_exit(char *words, size_t room, int status)
{
    if (WIFSIGNALED(status))
        snprintf(words, room, "exit: signal %d", WTERMSIG(status));
    else
        snprintf(words, room, "exit: status %d", WEXITSTATUS(status));
}

static void put_what(char *words, size_t room, const struct trace_reader *r,
                     const struct trace_item *item)
{
    const struct trace_event *e = &item->event;
    char text[TRACE_WORDS - 96];
    char date[DATE];
    message_escape(text, sizeof(text), item->text);
    switch (trace_kind_of(e)) {
    case TRACE_CLOCK:
        put_time(words, room, trace_source_name(r, e->source), (int64_t)e->value);
        return;
    case TRACE_BYTES:
        snprintf(words, room, "random: %" PRIu32 " bytes of %s, digest %016" PRIx64, e->extra,
                 stream_name(e->call), e->value);
        return;
    case TRACE_CALL:
        snprintf(words, room, "%s: %s = %" PRId64, trace_source_name(r, e->source),
                 trace_call_name(r, e->call), (int64_t)e->value);
        return;
    case TRACE_LISTING:
        snprintf(words, room, "directory: %" PRIu32 " entries, digest %016" PRIx64, e->extra,
                 e->value);
        return;
    case TRACE_OPEN:
        snprintf(words, room, "open %s%s%s, flags %#" PRIx32, text, e->value ? ": " : "",
                 e->value ? strerror(-(int)(int64_t)e->value) : "", e->extra);
        return;
    case TRACE_WRITE:
        if (e->extra == 0 && e->value != 0)
            snprintf(words, room, "write to %u: %s", e->call, strerror(-(int)(int64_t)e->value));
        else
            snprintf(words, room, "write to %u: %" PRIu32 " bytes, digest %016" PRIx64, e->call,
                     e->extra, e->value);
        return;
    case TRACE_IMAGE:
        snprintf(words, room, "program %s", text);
        return;
    case TRACE_EXIT:
        put_exit(words, room, (int)e->value);
        return;
    case TRACE_STATE:
        if (!put_date(date, (int64_t)e->value))
            *date = '\0';
        snprintf(words, room, "state of %s: %" PRIu32 " bytes, written %s",
                 *text ? text : "a descriptor", e->extra, date);
        return;
    default:
        snprintf(words, room, "an event of kind %u", e->kind);
    }
}

void trace_words(char words[TRACE_WORDS], const struct trace_reader *r,
                 const struct trace_item *item)
{
    enum trace_kind kind = trace_kind_of(&item->event);
    put_what(words, TRACE_WORDS - 16, r, item);
    bool answer = kind == TRACE_CLOCK || kind == TRACE_BYTES || kind == TRACE_LISTING ||
                  kind == TRACE_CALL || kind == TRACE_STATE;
    if (answer && trace_is_kernels(r, &item->event))
        strcat(words, ", real");
}

void trace_put_json(FILE *out, const struct trace_reader *r, const struct trace_item *item)
{
    const struct trace_event *e = &item->event;
    enum trace_kind kind = trace_kind_of(e);
    char words[TRACE_WORDS];
    trace_words(words, r, item);
    fprintf(out, "{\"event\":%" PRIu64 ",\"kind\":\"%s\"", item->number,
            kind < TRACE_KINDS ? trace_kind_names[kind] : "?");
    fprintf(out, ",\"source\":\"%s\",\"door\":\"%s\"", trace_source_name(r, e->source),
            trace_door_name(r, e->door));
    if (kind == TRACE_CALL)
        fprintf(out, ",\"call\":\"%s\"", trace_call_name(r, e->call));
    else if (kind == TRACE_WRITE)
        fprintf(out, ",\"descriptor\":%u", e->call);
    fprintf(out, ",\"extra\":%" PRIu32 ",\"value\":\"0x%016" PRIx64 "\",\"timing\":%s", e->extra,
            e->value, e->kind & TRACE_LOOSE ? "true" : "false");
    if (item->text[0]) {
        fputs(",\"path\":", out);
        json_put_text(out, item->text);
    }
    fputs(",\"text\":", out);
    json_put_text(out, words);
    fputc('}', out);
}

void trace_put_task(FILE *out, const struct trace_task *task)
{
    char command[sizeof(task->command) * 4];
    char place[sizeof(task->place) * 4];
    message_escape(command, sizeof(command), task->command);
    message_escape(place, sizeof(place), task->place);
    fprintf(out, "%s (%s)", place, command);
}
