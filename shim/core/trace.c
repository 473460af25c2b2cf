/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <string.h>

#include "owned.h"

#define XXH_INLINE_ALL
#define XXH_VECTOR 0
#include <xxhash.h>

#define CLOSED (UINT64_C(1) << 63)

static uint64_t load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_acquire);
}

bool trace_has_ended(const struct detrun_memory *m)
{
    return atomic_load_explicit(&m->shared.trace_error, memory_order_relaxed) != 0 ||
           (load(&m->shared.trace_claimed) & CLOSED);
}

/* @return the place of so many bytes of the file, 0: there are none */
static uint64_t claim(const struct trace_file *file, uint64_t size)
{
    struct detrun_shared *s = &file->memory->shared;
    for (;;) {
        uint64_t at = load(&s->trace_claimed);
        if (trace_has_ended(file->memory))
            return 0;
        if (at + size > load(&s->trace_allocated)) {
            if (!file->grow || file->grow(file) != 0)
                return 0;
        } else if (atomic_compare_exchange_weak_explicit(&s->trace_claimed, &at, at + size,
                                                         memory_order_acq_rel,
                                                         memory_order_relaxed)) {
            return at;
        }
    }
}

static void copy_text(char *to, size_t room, const char *from)
{
    for (size_t i = 0; from && from[i] && i + 1 < room; i++)
        to[i] = from[i];
}

static void write_head(const struct trace_file *file, struct detrun_task *t, uint64_t at,
                       uint32_t size)
{
    if (t->trace_chunks == 0)
        t->trace_task = t->lineage;
    struct trace_chunk *chunk = (struct trace_chunk *)(void *)(file->base + at);
    chunk->index = t->trace_chunks;
    chunk->task = t->trace_task;
    chunk->generation = t->generation;
    chunk->vpid = t->vpid;
    chunk->vtid = t->vtid;
    copy_text(chunk->place, sizeof(chunk->place), t->place);
    copy_text(chunk->command, sizeof(chunk->command), file->command);
    chunk->size = size;
    __atomic_store_n(&chunk->magic, TRACE_CHUNK_MAGIC, __ATOMIC_RELEASE);
}

/* One slot more and one less that is left; none left: 2^32 - 1 of them, and fewer each time. */
#define ONE_SLOT    ((UINT64_C(1) << 32) - 1)
#define LEFT(next)  ((int32_t)(uint32_t)(next))
#define PLACE(next) (((next) >> 32) * TRACE_SLOT)

bool trace_has_room(const struct detrun_task *t)
{
    return LEFT(load(&t->trace_next)) > 0;
}

/* @return the place of its first event; 0: there is none, or a handler came in between, which has
 * a chunk of its own by now: then this one stays without a head, and is passed over. */
static uint64_t begin_chunk(const struct trace_file *file, struct detrun_task *t, uint64_t at,
                            uint32_t size)
{
    uint64_t before = load(&t->trace_next);
    uint64_t first = at + sizeof(struct trace_chunk);
    uint64_t slots = (size - sizeof(struct trace_chunk)) / TRACE_SLOT;
    uint64_t after = (first / TRACE_SLOT + 1) << 32 | (slots - 1);
    write_head(file, t, at, size);
    owned_count(&t->trace_chunks);
    if (atomic_compare_exchange_strong_explicit(&t->trace_next, &before, after,
                                                memory_order_release, memory_order_relaxed))
        return first;
    memset(file->base + at, 0, sizeof(struct trace_chunk));
    return 0;
}

static uint64_t next_slot(const struct trace_file *file, struct detrun_task *t)
{
    for (;;) {
        uint64_t next = owned_fetch_add(&t->trace_next, ONE_SLOT);
        if (__builtin_expect(LEFT(next) > 0, 1))
            return PLACE(next);
        uint32_t size = t->trace_chunks == 0 ? TRACE_FIRST_CHUNK : TRACE_CHUNK;
        uint64_t at = claim(file, size);
        if (at == 0) {
            atomic_store_explicit(&t->trace_next, 0, memory_order_relaxed);
            return 0;
        }
        uint64_t first = begin_chunk(file, t, at, size);
        if (first != 0)
            return first;
    }
}

static void put_slot(const struct trace_file *file, struct detrun_task *t, const void *slot)
{
    uint64_t at = next_slot(file, t);
    if (at != 0)
        memcpy(file->base + at, slot, TRACE_SLOT);
    else
        atomic_fetch_add_explicit(&file->memory->shared.trace_dropped, 1, memory_order_relaxed);
}

void trace_put(const struct trace_file *file, struct detrun_task *t, struct trace_event event)
{
    put_slot(file, t, &event);
}

void trace_put_text(const struct trace_file *file, struct detrun_task *t, const char *text)
{
    for (size_t done = 0; done < TRACE_TEXT_LIMIT;) {
        struct trace_text piece = {.kind = TRACE_TEXT};
        while (piece.length < TRACE_TEXT_PIECE && text[done])
            piece.bytes[piece.length++] = text[done++];
        if (piece.length > 0)
            put_slot(file, t, &piece);
        if (piece.length < TRACE_TEXT_PIECE)
            return;
    }
}

/* How often somebody had to wait, and for how long he found nothing. */
static bool is_timing(enum trace_call call, enum detrun_source source)
{
    static const uint16_t calls[] = {
        TRACE_LIBC_wait,  TRACE_LIBC_waitpid,      TRACE_LIBC_wait3,
        TRACE_CALL_wait4, TRACE_LIBC_waitid,       TRACE_CALL_waitid,
        TRACE_CALL_kill,  TRACE_LIBC_pthread_join, TRACE_LIBC_pthread_detach,
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i] == call)
            return true;
    return source == DETRUN_SLEEP;
}

struct trace_event trace_of_call(enum trace_call call, enum detrun_source source, unsigned door,
                                 long result)
{
    return (struct trace_event){.kind = TRACE_CALL | (is_timing(call, source) ? TRACE_LOOSE : 0),
                                .source = source & 31,
                                .door = door & 7,
                                .call = (uint16_t)call,
                                .value = (uint64_t)result};
}

uint64_t trace_digest(const void *bytes, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, length, seed);
}

uint64_t trace_close(struct detrun_memory *m)
{
    return atomic_fetch_or_explicit(&m->shared.trace_claimed, CLOSED, memory_order_acq_rel) &
           ~CLOSED;
}

void trace_fail(struct detrun_memory *m, int error)
{
    uint32_t none = 0;
    atomic_compare_exchange_strong_explicit(&m->shared.trace_error, &none, (uint32_t)error,
                                            memory_order_acq_rel, memory_order_relaxed);
}

void trace_grown(struct detrun_memory *m, uint64_t by)
{
    atomic_fetch_add_explicit(&m->shared.trace_allocated, by, memory_order_acq_rel);
}

uint64_t trace_room(const struct detrun_memory *m)
{
    uint64_t claimed = load(&m->shared.trace_claimed);
    uint64_t allocated = load(&m->shared.trace_allocated);
    return claimed > allocated ? 0 : allocated - claimed;
}
