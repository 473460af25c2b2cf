/* SPDX-License-Identifier: MIT */
#include "trace_diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "commands.h"
#include "json.h"
#include "message.h"

#define WINDOW (TRACE_BEFORE + 1)

/** One side of a pair of tasks. */
struct side {
    struct trace_cursor cursor;
    struct trace_window window;
    uint64_t mono; /**< of the clock read last */
};

/** Numbers of calls of the second trace by names of the first. */
struct pairing {
    uint16_t *calls;
    size_t count;
};

static void side_begin(struct side *s, const struct trace_reader *r, const struct trace_task *task)
{
    s->window.reader = r;
    s->window.task = task;
    s->window.there = false;
    s->window.taken = 0;
    s->mono = 0;
    if (task)
        trace_cursor_begin(&s->cursor, r, task);
}

static struct trace_item *last(struct trace_window *w)
{
    return &w->items[(w->taken - 1) % WINDOW];
}

static bool is_wall(const struct trace_reader *r, const struct trace_event *e)
{
    return strcmp(trace_source_name(r, e->source), "wall") == 0;
}

/* Runtimes read monotonic clocks, and ask for their ids, as often as they like, and see nothing
 * new.
 */
static bool is_repeated(struct side *s, const struct trace_item *item)
{
    const struct trace_reader *r = s->window.reader;
    const struct trace_event *e = &item->event;
    if (trace_is_kernels(r, e))
        return false;
    if (trace_kind_of(e) == TRACE_CALL)
        return e->call < trace_head(r)->calls && r->constant[e->call];
    if (trace_kind_of(e) != TRACE_CLOCK || is_wall(r, e))
        return false;
    bool repeated = e->value == s->mono;
    s->mono = e->value;
    return repeated;
}

/* @return the next event that counts, NULL: there is none */
static struct trace_item *side_next(struct side *s)
{
    for (;;) {
        struct trace_item *item = &s->window.items[s->window.taken % WINDOW];
        s->window.there = s->window.task && trace_cursor_next(&s->cursor, item);
        if (!s->window.there)
            return NULL;
        s->window.taken++;
        if (!(item->event.kind & TRACE_LOOSE) && !is_repeated(s, item))
            return item;
    }
}

static bool pair_calls(struct pairing *p, const struct trace_reader *a,
                       const struct trace_reader *b)
{
    size_t n = trace_head(a)->calls;
    p->count = trace_head(b)->calls;
    p->calls = calloc(p->count + 1, sizeof(*p->calls));
    for (size_t i = 0; p->calls && i < p->count; i++) {
        const char *name = trace_call_name(b, (unsigned)i);
        size_t k = i < n && strcmp(trace_call_name(a, (unsigned)i), name) == 0 ? i : 0;
        while (k < n && strcmp(trace_call_name(a, (unsigned)k), name) != 0)
            k++;
        p->calls[i] = (uint16_t)k;
    }
    return p->calls != NULL;
}

/* A call may come by libc's function or by its number: it is the name that counts. */
static bool is_same_call(const struct trace_reader *a, const struct pairing *p, uint16_t mine,
                         uint16_t other)
{
    if (other >= p->count)
        return false;
    return p->calls[other] == mine ||
           strcmp(trace_call_name(a, mine), trace_call_name(a, p->calls[other])) == 0;
}

static bool is_same_question(const struct trace_reader *ra, const struct pairing *p,
                             const struct trace_item *a, const struct trace_item *b)
{
    enum trace_kind kind = trace_kind_of(&a->event);
    if (kind != trace_kind_of(&b->event) || a->event.source != b->event.source)
        return false;
    if (kind == TRACE_CALL)
        return is_same_call(ra, p, a->event.call, b->event.call);
    bool names = kind == TRACE_OPEN || kind == TRACE_STATE;
    return a->event.call == b->event.call && (!names || strcmp(a->text, b->text) == 0);
}

static bool is_same_answer(const struct trace_item *a, const struct trace_item *b)
{
    return a->event.value == b->event.value && a->event.extra == b->event.extra &&
           strcmp(a->text, b->text) == 0;
}

static enum trace_change compare_tasks(struct side *a, struct side *b, const struct pairing *p,
                                       uint64_t *events)
{
    for (;; (*events)++) {
        const struct trace_item *one = side_next(a);
        const struct trace_item *other = side_next(b);
        if (!one && !other)
            return TRACE_SAME;
        if (!one || !other)
            return TRACE_MISSING;
        if (!is_same_question(a->window.reader, p, one, other))
            return TRACE_OTHER_CALL;
        if (!is_same_answer(one, other))
            return TRACE_OTHER_VALUE;
    }
}

static bool says_real(struct trace_window *w)
{
    if (!w->there)
        return false;
    const struct trace_event *e = &last(w)->event;
    enum trace_kind kind = trace_kind_of(e);
    return trace_is_kernels(w->reader, e) && kind != TRACE_OPEN && kind != TRACE_WRITE &&
           kind != TRACE_EXIT;
}

/* Threads of a runtime's own see more or less of it. */
static bool is_monotonic(struct trace_window *w)
{
    const struct trace_event *e = &last(w)->event;
    return trace_kind_of(e) == TRACE_CLOCK && !is_wall(w->reader, e);
}

/* Answers come before what a program makes of them. */
static unsigned rank_of(struct trace_difference *d)
{
    if (says_real(&d->a) || says_real(&d->b))
        return 0;
    if (!d->a.there || !d->b.there || is_monotonic(&d->a) || is_monotonic(&d->b))
        return 3;
    enum trace_kind kind = trace_kind_of(&last(&d->a)->event);
    return kind == TRACE_WRITE || kind == TRACE_EXIT ? 2 : 1;
}

const char *const trace_channel_names[TRACE_CHANNELS] = {
    "clock", "random", "order", "process ids", "files", "output",
};

/* That one has done more, or something else, is the order in which things came about. */
static enum trace_channel_id channel_of(struct trace_difference *d)
{
    static const enum trace_channel_id of_kind[TRACE_KINDS] = {
        [TRACE_NONE] = TRACE_CHANNEL_ORDER,    [TRACE_CLOCK] = TRACE_CHANNEL_CLOCK,
        [TRACE_BYTES] = TRACE_CHANNEL_RANDOM,  [TRACE_CALL] = TRACE_CHANNEL_ORDER,
        [TRACE_LISTING] = TRACE_CHANNEL_FILES, [TRACE_OPEN] = TRACE_CHANNEL_FILES,
        [TRACE_WRITE] = TRACE_CHANNEL_OUTPUT,  [TRACE_IMAGE] = TRACE_CHANNEL_ORDER,
        [TRACE_EXIT] = TRACE_CHANNEL_OUTPUT,   [TRACE_STATE] = TRACE_CHANNEL_FILES,
    };
    if (!d->a.there || !d->b.there)
        return TRACE_CHANNEL_ORDER;
    const struct trace_event *e = &last(&d->a)->event;
    enum trace_kind kind = trace_kind_of(e);
    if (kind == TRACE_CALL && strcmp(trace_source_name(d->a.reader, e->source), "pid") == 0)
        return TRACE_CHANNEL_PIDS;
    return kind < TRACE_KINDS ? of_kind[kind] : TRACE_CHANNEL_ORDER;
}

/* Where the trace ended early, that a task has no more in it says nothing. */
static bool is_cut_off(const struct side *s)
{
    return !s->window.there && s->window.reader->lacks != NULL;
}

static void add(struct trace_comparison *c, const struct side *a, const struct side *b,
                enum trace_change change)
{
    static struct trace_difference d;
    c->tasks++;
    bool ends = change == TRACE_MISSING || change == TRACE_MISSING_TASK;
    if (change == TRACE_SAME || (ends && (is_cut_off(a) || is_cut_off(b))))
        return;
    d.change = change;
    d.a = a->window;
    d.b = b->window;
    d.rank = rank_of(&d);
    c->by_channel[channel_of(&d)]++;
    if (c->differing++ == 0 || d.rank < c->first.rank)
        c->first = d;
}

static const struct trace_task *find(const struct trace_reader *r, uint64_t id, size_t hint)
{
    if (hint < r->task_count && r->tasks[hint].id == id)
        return &r->tasks[hint];
    for (size_t i = 0; i < r->task_count; i++)
        if (r->tasks[i].id == id)
            return &r->tasks[i];
    return NULL;
}

static int check_heads(const struct trace_reader *a, const struct trace_reader *b)
{
    uint32_t versions[2] = {trace_head(a)->stream_version, trace_head(b)->stream_version};
    if (versions[0] == versions[1])
        return 0;
    message_say("\"%s\" and \"%s\" are of stream versions %" PRIu32 " and %" PRIu32
                ", which answer differently; trace both anew",
                a->path, b->path, versions[0], versions[1]);
    return -1;
}

int trace_compare(const struct trace_reader *a, const struct trace_reader *b,
                  struct trace_comparison *c)
{
    static struct side one;
    static struct side other;
    struct pairing p;
    memset(c, 0, sizeof(*c));
    if (check_heads(a, b) != 0)
        return -1;
    if (!pair_calls(&p, a, b)) {
        message_say("out of memory");
        return -1;
    }
    for (size_t i = 0; i < a->task_count; i++) {
        side_begin(&one, a, &a->tasks[i]);
        side_begin(&other, b, find(b, a->tasks[i].id, i));
        enum trace_change change = compare_tasks(&one, &other, &p, &c->events);
        add(c, &one, &other, other.window.task ? change : TRACE_MISSING_TASK);
    }
    for (size_t i = 0; i < b->task_count; i++) {
        if (find(a, b->tasks[i].id, i))
            continue;
        side_begin(&one, a, NULL);
        side_begin(&other, b, &b->tasks[i]);
        side_next(&other);
        add(c, &one, &other, TRACE_MISSING_TASK);
    }
    free(p.calls);
    return 0;
}

const char *trace_change_name(const struct trace_comparison *c)
{
    static const char *const names[] = {
        "same", "other value", "other call", "missing", "missing task",
    };
    return names[c->first.change];
}

static struct trace_window *telling(const struct trace_comparison *c)
{
    struct trace_difference *d = (struct trace_difference *)(uintptr_t)&c->first;
    return says_real(&d->b) || !d->a.there ? &d->b : &d->a;
}

const char *trace_source(const struct trace_comparison *c)
{
    struct trace_window *w = telling(c);
    if (!w->there)
        return "";
    const struct trace_event *e = &last(w)->event;
    enum trace_kind kind = trace_kind_of(e);
    bool answer = kind == TRACE_CLOCK || kind == TRACE_BYTES || kind == TRACE_CALL ||
                  kind == TRACE_LISTING || kind == TRACE_STATE;
    return answer ? trace_source_name(w->reader, e->source) : "";
}

static const char *cause_of_kind(enum trace_kind kind)
{
    switch (kind) {
    case TRACE_CLOCK:
        return "order: whom it waited for, or who woke it, was another";
    case TRACE_BYTES:
        return "it has drawn more or less before, or began in another place";
    case TRACE_CALL:
        return "order: threads or processes did this in another order, or one of them did more";
    case TRACE_LISTING:
        return "what is in the directory was not the same";
    case TRACE_STATE:
        return "the file was not the same, or was written at another time";
    case TRACE_WRITE:
    case TRACE_EXIT:
        return "all that detrun answered before was the same: an environment variable, what is in "
               "a "
               "file, a data race, an address, or an instruction (rdtsc, rdrand)";
    default:
        return "the program went another way, though all that detrun answered before was the same: "
               "an environment variable, what is in a file, a data race, an address";
    }
}

/* Sources whose answers are not in a trace, or show too late, when they are left real. */
static void put_left_real(char *text, size_t room, const struct trace_reader *r)
{
    size_t used = strlen(text);
    const char *before = "; left real were ";
    for (unsigned i = 0; i < trace_head(r)->sources && i < 32; i++)
        if (trace_head(r)->real >> i & 1) {
            int n = snprintf(text + used, room - used, "%s%s", before, trace_source_name(r, i));
            used += n > 0 && (size_t)n < room - used ? (size_t)n : 0;
            before = " ";
        }
}

static const char *plain_cause(const struct trace_comparison *c)
{
    struct trace_difference *d = (struct trace_difference *)(uintptr_t)&c->first;
    struct trace_window *w = telling(c);
    if (w->there && is_monotonic(w))
        return "timing: a runtime's own threads read this clock as often as they like, and nothing "
               "that says more differs";
    if (d->change == TRACE_MISSING_TASK)
        return "a process or thread was started in one of the runs only, or in another order";
    if (d->change != TRACE_OTHER_VALUE)
        return cause_of_kind(TRACE_NONE);
    return cause_of_kind(w->there ? trace_kind_of(&last(w)->event) : TRACE_NONE);
}

const char *trace_cause(const struct trace_comparison *c)
{
    static char text[512];
    const struct trace_difference *d = &c->first;
    if (trace_head(d->a.reader)->test_seed != trace_head(d->b.reader)->test_seed)
        return "the two runs had different seeds, or test names";
    if (d->rank == 0) {
        snprintf(text, sizeof(text), "%s: the kernel answered, it was left real (--real=%s)",
                 trace_source(c), trace_source(c));
        return text;
    }
    snprintf(text, sizeof(text), "%s", plain_cause(c));
    put_left_real(text, sizeof(text), d->b.reader);
    return text;
}

static void say_window(FILE *out, const struct trace_window *w, const char *name, char mark)
{
    char words[TRACE_WORDS];
    uint64_t first = w->taken > WINDOW ? w->taken - WINDOW : 0;
    if (!w->there && w->taken >= WINDOW)
        first++;
    fprintf(out, "%s\n", name);
    for (uint64_t i = first; i < w->taken; i++) {
        const struct trace_item *item = &w->items[i % WINDOW];
        trace_words(words, w->reader, item);
        fprintf(out, "%c %8" PRIu64 "  %s\n", w->there && i + 1 == w->taken ? mark : ' ',
                item->number, words);
    }
    if (!w->there)
        fprintf(out, "%c           %s\n", mark, w->task ? "nothing more" : "there is no such task");
}

void trace_say(FILE *out, const struct trace_comparison *c)
{
    const struct trace_difference *d = &c->first;
    const struct trace_window *w = d->a.task ? &d->a : &d->b;
    fputs("first change: task ", out);
    trace_put_task(out, w->task);
    const char *source = trace_source(c);
    fprintf(out, ": %s%s%s\n", trace_change_name(c), *source ? ", source " : "", source);
    say_window(out, &d->a, d->a.reader->path, '-');
    say_window(out, &d->b, d->b.reader->path, '+');
    fprintf(out, "likely cause: %s\n", trace_cause(c));
    fprintf(out, "%zu of %zu tasks differ, %" PRIu64 " events were compared\n", c->differing,
            c->tasks, c->events);
}

static void json_window(FILE *out, const struct trace_window *w, const char *name)
{
    uint64_t end = w->there ? w->taken - 1 : w->taken;
    uint64_t first = w->taken > WINDOW ? w->taken - WINDOW : 0;
    fprintf(out, ",\"%s\":", name);
    if (w->there)
        trace_put_json(out, w->reader, &w->items[end % WINDOW]);
    else
        fputs("null", out);
    fprintf(out, ",\"before_%s\":[", name);
    for (uint64_t i = end - first > TRACE_BEFORE ? end - TRACE_BEFORE : first; i < end; i++) {
        trace_put_json(out, w->reader, &w->items[i % WINDOW]);
        fputs(i + 1 < end ? "," : "", out);
    }
    fputc(']', out);
}

void trace_say_json(FILE *out, const struct trace_comparison *c)
{
    const struct trace_difference *d = &c->first;
    const struct trace_task *task = d->a.task ? d->a.task : d->b.task;
    fputs("{\"task\":", out);
    json_put_text(out, task->place);
    fputs(",\"command\":", out);
    json_put_text(out, task->command);
    fprintf(out, ",\"kind\":\"%s\",\"source\":\"%s\",\"likely_cause\":", trace_change_name(c),
            trace_source(c));
    json_put_text(out, trace_cause(c));
    json_window(out, &d->a, "a");
    json_window(out, &d->b, "b");
    fprintf(out, ",\"differing\":%zu}", c->differing);
}

static int tell(const struct trace_reader *a, const struct trace_reader *b,
                const struct trace_comparison *c, bool json)
{
    const char *lacks = a->lacks ? a->lacks : b->lacks;
    bool nothing = c->differing == 0 && (lacks || c->events == 0);
    const char *verdict = c->differing ? "diverged" : nothing ? "inconclusive" : "same";
    if (json) {
        printf("{\"schema_version\":1,\"command\":\"diff\",\"verdict\":\"%s\",\"events\":%" PRIu64
               ",\"tasks\":%zu,\"first_change\":",
               verdict, c->events, c->tasks);
        if (c->differing)
            trace_say_json(stdout, c);
        else
            fputs("null", stdout);
        printf(",\"status\":%d}\n", c->differing ? 1 : nothing ? 3 : 0);
    } else if (c->differing) {
        trace_say(stdout, c);
    } else if (nothing) {
        printf("inconclusive: %s\n", lacks ? lacks : "there is nothing to compare");
    } else {
        printf("same: %" PRIu64 " events of %zu tasks\n", c->events, c->tasks);
    }
    if (lacks && !json)
        message_say("\"%s\" is not whole: %s", a->lacks ? a->path : b->path, lacks);
    return c->differing ? 1 : nothing ? 3 : 0;
}

int trace_diff(const char *a, const char *b, bool json, trace_look *look, void *argument)
{
    static struct trace_reader one;
    static struct trace_reader other;
    static struct trace_comparison c;
    int status = COMMAND_USAGE;
    if (trace_reader_open(&one, a) != 0)
        return COMMAND_USAGE;
    if (trace_reader_open(&other, b) == 0) {
        if (trace_compare(&one, &other, &c) == 0)
            status = tell(&one, &other, &c, json);
        if (look && status != COMMAND_USAGE && look(argument, &c, status) != 0)
            status = COMMAND_USAGE;
        trace_reader_close(&other);
    }
    trace_reader_close(&one);
    return status;
}
