/* SPDX-License-Identifier: MIT */
/*
 * detrun trace: what a job was answered, task by task.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "message.h"
#include "tools.h"
#include "trace_text.h"
#include "words.h"

static const char usage[] = "usage: detrun trace [--format json] [--task PLACE] FILE\n";

static void print_text(const struct trace_reader *r, const struct trace_task *task)
{
    static struct trace_cursor cursor;
    struct trace_item item;
    char words[TRACE_WORDS];
    fputs("task ", stdout);
    trace_put_task(stdout, task);
    putchar('\n');
    trace_cursor_begin(&cursor, r, task);
    while (trace_cursor_next(&cursor, &item) && !ferror(stdout)) {
        trace_words(words, r, &item);
        printf("%8" PRIu64 "  %s\n", item.number, words);
    }
}

static void print_json(const struct trace_reader *r, const struct trace_task *task)
{
    static struct trace_cursor cursor;
    struct trace_item item;
    trace_cursor_begin(&cursor, r, task);
    while (trace_cursor_next(&cursor, &item) && !ferror(stdout)) {
        fputs("{\"task\":", stdout);
        json_put_text(stdout, task->place);
        fputs(",\"command\":", stdout);
        json_put_text(stdout, task->command);
        printf(",\"lineage\":\"0x%016" PRIx64 "\",\"answer\":", task->id);
        trace_put_json(stdout, r, &item);
        puts("}");
    }
}

static int print_tasks(const struct trace_reader *r, const char *place, bool json)
{
    size_t printed = 0;
    for (size_t i = 0; i < r->task_count; i++) {
        if (place && strcmp(place, r->tasks[i].place) != 0)
            continue;
        printed++;
        if (json)
            print_json(r, &r->tasks[i]);
        else
            print_text(r, &r->tasks[i]);
    }
    if (!place || printed > 0)
        return 0;
    message_say("--task: there is no task \"%s\" in \"%s\"", place, r->path);
    return COMMAND_USAGE;
}

int tool_trace(char **words)
{
    static struct trace_reader r;
    const char *format = NULL;
    const char *place = NULL;
    bool json;
    const struct word_option options[] = {
        {"format", &format, NULL}, {"task", &place, NULL}, {NULL, NULL, NULL}};
    struct words w = {usage, options, false};
    int n = words_take(&w, words);
    if (n < 0)
        return w.helped ? 0 : COMMAND_USAGE;
    if (n != 1)
        return words_usage(&w);
    if (!words_format(format, &json) || trace_reader_open(&r, words[0]) != 0)
        return COMMAND_USAGE;
    int status = print_tasks(&r, place, json);
    if (status == 0 && r.lacks) {
        message_say("\"%s\" is not whole: %s", words[0], r.lacks);
        status = 3;
    }
    trace_reader_close(&r);
    return status;
}
