/* SPDX-License-Identifier: MIT */
#include "trace_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "message.h"

#define STEP TRACE_FIRST_CHUNK /* chunks begin at its multiples */

bool trace_is_one(const char *path)
{
    char magic[sizeof(TRACE_MAGIC)];
    struct stat st;
    AUTO_CLOSE int fd =
        stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    return fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
           memcmp(magic, TRACE_MAGIC, sizeof(magic)) == 0;
}

/* @return why not, NULL: it is one */
static const char *what_is_wrong(const struct trace_reader *r, ssize_t size)
{
    const struct trace_header *h = trace_head(r);
    if (size < (ssize_t)sizeof(h->magic) || memcmp(h->magic, TRACE_MAGIC, sizeof(h->magic)) != 0)
        return "it is no trace of detrun";
    if (size >= (ssize_t)sizeof(*h) && h->version != TRACE_VERSION)
        return "it is a trace of another version; read it with the detrun that wrote it";
    if (size < TRACE_HEADER)
        return "it is cut off within its head";
    if (h->names_length > TRACE_HEADER - sizeof(*h))
        return "its head is damaged";
    return NULL;
}

/* @return false: there are not as many as the head says */
static bool find_names(struct trace_reader *r)
{
    const struct trace_header *h = trace_head(r);
    size_t wanted = (size_t)h->sources + h->doors + h->calls;
    const char *end = h->names + h->names_length;
    const char *name = h->names;
    if (h->sources > TRACE_HEADER || h->doors > TRACE_HEADER || h->calls > TRACE_HEADER)
        return false;
    r->names = calloc(wanted + 1, sizeof(*r->names));
    for (size_t i = 0; r->names && i < wanted; i++) {
        if (name >= end || !memchr(name, '\0', (size_t)(end - name)))
            return false;
        r->names[i] = name;
        name += strlen(name) + 1;
    }
    return r->names != NULL;
}

static bool find_constant(struct trace_reader *r)
{
    static const char *const constant[] = {"getpid", "gettid", "getppid", "__getpid"};
    size_t calls = trace_head(r)->calls;
    r->constant = calloc(calls + 1, 1);
    for (unsigned i = 0; r->constant && i < calls; i++)
        for (size_t k = 0; k < sizeof(constant) / sizeof(constant[0]); k++)
            r->constant[i] |= strcmp(trace_call_name(r, i), constant[k]) == 0;
    return r->constant != NULL;
}

static bool add_piece(struct trace_reader *r, const struct trace_chunk *chunk, uint64_t offset)
{
    if ((r->piece_count & (r->piece_count - 1)) == 0) {
        size_t room = r->piece_count ? 2 * r->piece_count : 64;
        struct trace_piece *more = reallocarray(r->pieces, room, sizeof(*more));
        if (!more)
            return false;
        r->pieces = more;
    }
    r->pieces[r->piece_count++] =
        (struct trace_piece){chunk->task, offset, chunk->index, chunk->size};
    return true;
}

static bool is_chunk(const struct trace_chunk *chunk)
{
    return chunk->magic == TRACE_CHUNK_MAGIC && chunk->size >= STEP && chunk->size <= TRACE_CHUNK &&
           chunk->size % STEP == 0;
}

/* A chunk without a head was claimed by somebody who was killed just then.
 * @return false: out of memory */
static bool find_pieces(struct trace_reader *r)
{
    struct trace_chunk chunk;
    uint64_t offset = TRACE_HEADER;
    ssize_t n;
    while ((n = pread(r->fd, &chunk, sizeof(chunk), (off_t)offset)) == sizeof(chunk)) {
        if (is_chunk(&chunk)) {
            if (!add_piece(r, &chunk, offset))
                return false;
            offset += chunk.size;
            continue;
        }
        if (chunk.magic != 0)
            r->lacks = "a part of it is damaged";
        offset += STEP;
    }
    struct stat st;
    if (n > 0 || (fstat(r->fd, &st) == 0 && (uint64_t)st.st_size < offset))
        r->lacks = "it is cut off";
    return true;
}

static int by_task(const void *left, const void *right)
{
    const struct trace_piece *a = left;
    const struct trace_piece *b = right;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool describe(const struct trace_reader *r, struct trace_task *task)
{
    for (size_t i = 0; i < task->count; i++) {
        struct trace_chunk chunk;
        if (pread(r->fd, &chunk, sizeof(chunk), (off_t)r->pieces[task->first + i].offset) !=
            sizeof(chunk))
            return false;
        if (i == 0)
            memcpy(task->place, chunk.place, sizeof(chunk.place));
        if (chunk.command[0])
            memcpy(task->command, chunk.command, sizeof(chunk.command));
    }
    return true;
}

/* "1.2" before "1.10", and a task before those that it started. */
static int by_place(const void *left, const void *right)
{
    const struct trace_task *a = left;
    const struct trace_task *b = right;
    int order = strverscmp(a->place, b->place);
    if (order == 0)
        order = a->id < b->id ? -1 : a->id > b->id;
    return order;
}

static bool find_tasks(struct trace_reader *r)
{
    qsort(r->pieces, r->piece_count, sizeof(r->pieces[0]), by_task);
    r->tasks = calloc(r->piece_count + 1, sizeof(*r->tasks));
    for (size_t i = 0; r->tasks && i < r->piece_count; i++) {
        if (i == 0 || r->pieces[i].task != r->pieces[i - 1].task)
            r->tasks[r->task_count++] = (struct trace_task){.id = r->pieces[i].task, .first = i};
        r->tasks[r->task_count - 1].count++;
    }
    for (size_t i = 0; r->tasks && i < r->task_count; i++)
        if (!describe(r, &r->tasks[i]))
            return false;
    if (r->tasks)
        qsort(r->tasks, r->task_count, sizeof(r->tasks[0]), by_place);
    return r->tasks != NULL;
}

static void note_end(struct trace_reader *r)
{
    const struct trace_header *h = trace_head(r);
    if (r->lacks)
        return;
    if (h->error != 0)
        r->lacks = strerror((int)h->error);
    else if (h->dropped != 0)
        r->lacks = "there was no room for all events";
    else if (h->ended == 0)
        r->lacks = "detrun was killed, or still runs";
}

int trace_reader_open(struct trace_reader *r, const char *path)
{
    memset(r, 0, sizeof(*r));
    r->path = path;
    r->fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = r->fd >= 0 ? pread(r->fd, r->head, sizeof(r->head), 0) : -1;
    const char *wrong = n < 0 ? strerror(errno) : what_is_wrong(r, n);
    if (!wrong && !(find_names(r) && find_constant(r)))
        wrong = "its head is damaged";
    if (!wrong && (!find_pieces(r) || !find_tasks(r)))
        wrong = strerror(ENOMEM);
    if (wrong) {
        message_say("cannot read \"%s\": %s", path, wrong);
        trace_reader_close(r);
        return -1;
    }
    note_end(r);
    return 0;
}

void trace_reader_close(struct trace_reader *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    free(r->names);
    free(r->constant);
    free(r->pieces);
    free(r->tasks);
    r->names = NULL;
    r->constant = NULL;
    r->pieces = NULL;
    r->tasks = NULL;
}

static const char *name(const struct trace_reader *r, size_t first, size_t count, unsigned number)
{
    return number < count ? r->names[first + number] : "?";
}

const char *trace_source_name(const struct trace_reader *r, unsigned source)
{
    return name(r, 0, trace_head(r)->sources, source);
}

const char *trace_door_name(const struct trace_reader *r, unsigned door)
{
    return name(r, trace_head(r)->sources, trace_head(r)->doors, door);
}

const char *trace_call_name(const struct trace_reader *r, unsigned call)
{
    const struct trace_header *h = trace_head(r);
    return name(r, (size_t)h->sources + h->doors, h->calls, call);
}

void trace_cursor_begin(struct trace_cursor *c, const struct trace_reader *r,
                        const struct trace_task *task)
{
    c->reader = r;
    c->task = task;
    c->piece = 0;
    c->at = 0;
    c->end = 0;
    c->number = 0;
}

/* @return the next event that was written, NULL: there is none */
static const struct trace_event *look(struct trace_cursor *c)
{
    for (;;) {
        for (; c->at + TRACE_SLOT <= c->end; c->at += TRACE_SLOT) {
            const struct trace_event *event = (const void *)(c->bytes + c->at);
            if (event->kind != TRACE_NONE)
                return event;
        }
        if (c->piece == c->task->count)
            return NULL;
        const struct trace_piece *p = &c->reader->pieces[c->task->first + c->piece++];
        ssize_t n = pread(c->reader->fd, c->bytes, p->size, (off_t)p->offset);
        c->at = sizeof(struct trace_chunk);
        c->end = n > 0 ? (size_t)n : 0;
    }
}

static void take_text(struct trace_cursor *c, char *text)
{
    const struct trace_event *event;
    size_t used = 0;
    while ((event = look(c)) != NULL && event->kind == TRACE_TEXT) {
        const struct trace_text *piece = (const void *)event;
        size_t n = piece->length < TRACE_TEXT_PIECE ? piece->length : TRACE_TEXT_PIECE;
        n = n < TRACE_TEXT_LIMIT - used ? n : TRACE_TEXT_LIMIT - used;
        memcpy(text + used, piece->bytes, n);
        used += n;
        c->at += TRACE_SLOT;
    }
    text[used] = '\0';
}

bool trace_cursor_next(struct trace_cursor *c, struct trace_item *item)
{
    const struct trace_event *event = look(c);
    if (!event)
        return false;
    item->event = *event;
    item->number = c->number++;
    item->text[0] = '\0';
    c->at += TRACE_SLOT;
    enum trace_kind kind = trace_kind_of(&item->event);
    if (kind == TRACE_OPEN || kind == TRACE_IMAGE || kind == TRACE_STATE)
        take_text(c, item->text);
    return true;
}
