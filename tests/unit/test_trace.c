/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "job.h"

#define ROOM    (UINT64_C(64) << 20)
#define WRITERS 4
#define EVENTS  50000

static uint64_t limit; /* of the file, as far as grow() goes */

static int grow(const struct trace_file *file)
{
    uint64_t allocated = atomic_load(&file->memory->shared.trace_allocated);
    if (allocated + TRACE_GROWTH > limit) {
        trace_fail(file->memory, 28);
        return -28;
    }
    trace_grown(file->memory, TRACE_GROWTH);
    return 0;
}

static struct trace_file file_new(uint64_t most)
{
    struct trace_file file = {.memory = job_new(), .grow = grow, .command = "test"};
    file.base = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_ptr_ne(file.base, MAP_FAILED);
    limit = most;
    file.memory->shared.trace_claimed = TRACE_HEADER;
    file.memory->shared.trace_allocated = TRACE_HEADER;
    return file;
}

static void put(const struct trace_file *file, struct detrun_task *t, uint16_t call, uint64_t value)
{
    trace_put(file, t, (struct trace_event){.kind = TRACE_CALL, .call = call, .value = value});
}

/* Those without a head were given up. NULL: there is none of that number */
static const struct trace_chunk *find(const struct trace_file *file, uint64_t task, uint32_t index)
{
    uint64_t end = atomic_load(&file->memory->shared.trace_claimed) & ~(UINT64_C(1) << 63);
    for (uint64_t at = TRACE_HEADER; at < end;) {
        const struct trace_chunk *chunk = (const void *)(file->base + at);
        ck_assert(chunk->magic == 0 || chunk->magic == TRACE_CHUNK_MAGIC);
        if (chunk->magic != 0 && chunk->task == task && chunk->index == index)
            return chunk;
        at += chunk->magic != 0 ? chunk->size : TRACE_FIRST_CHUNK;
    }
    return NULL;
}

/* The events of a task by that writer must count up from 0; those of others are passed over.
 * @return how many there are */
static uint64_t count(const struct trace_file *file, const struct detrun_task *t, uint16_t call)
{
    uint64_t found = 0;
    for (uint32_t index = 0; index < t->trace_chunks; index++) {
        const struct trace_chunk *chunk = find(file, t->trace_task, index);
        const struct trace_event *events = (const void *)(chunk + 1);
        size_t n = chunk ? (chunk->size - sizeof(*chunk)) / TRACE_SLOT : 0;
        for (size_t i = 0; i < n; i++)
            if (events[i].kind == TRACE_CALL && events[i].call == call)
                ck_assert_uint_eq(events[i].value, found++);
    }
    return found;
}

START_TEST(events_of_a_task_stay_in_their_order)
{
    struct trace_file file = file_new(ROOM);
    struct detrun_task *t = lineage_root(file.memory, JOB_REAL_PID);
    for (uint64_t i = 0; i < EVENTS; i++)
        put(&file, t, 1, i);
    ck_assert_uint_eq(count(&file, t, 1), EVENTS);
    const struct trace_chunk *first = (const void *)(file.base + TRACE_HEADER);
    ck_assert_str_eq(first->place, "1");
    ck_assert_str_eq(first->command, "test");
    ck_assert_uint_eq(file.memory->shared.trace_dropped, 0);
}
END_TEST

struct writer {
    const struct trace_file *file;
    struct detrun_task *task;
};

static void *write_events(void *argument)
{
    const struct writer *w = argument;
    for (uint64_t i = 0; i < EVENTS; i++)
        put(w->file, w->task, 1, i);
    return NULL;
}

START_TEST(tasks_that_write_at_once_lose_nothing)
{
    struct trace_file file = file_new(ROOM);
    struct detrun_task *root = lineage_root(file.memory, JOB_REAL_PID);
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){&file, lineage_prepare(file.memory, root, LINEAGE_THREAD)};
        pthread_create(&threads[i], NULL, write_events, &writers[i]);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(count(&file, writers[i].task, 1), EVENTS);
    }
}
END_TEST

static struct writer interrupted;
static volatile uint64_t in_handler;

static void handle(int signal)
{
    (void)signal;
    for (int i = 0; i < 300; i++) {
        put(interrupted.file, interrupted.task, 2, in_handler);
        in_handler = in_handler + 1;
    }
}

START_TEST(a_handler_may_come_at_any_time)
{
    struct trace_file file = file_new(ROOM);
    struct itimerval often = {{0, 50}, {0, 50}};
    struct itimerval never = {{0, 0}, {0, 0}};
    interrupted = (struct writer){&file, lineage_root(file.memory, JOB_REAL_PID)};
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &often, NULL);
    uint64_t n = 0;
    while (in_handler < 300000 && n < UINT64_C(1000000))
        put(&file, interrupted.task, 1, n++);
    setitimer(ITIMER_REAL, &never, NULL);
    ck_assert_uint_gt(in_handler, 0);
    ck_assert_uint_eq(count(&file, interrupted.task, 1), n);
    ck_assert_uint_eq(count(&file, interrupted.task, 2), in_handler);
    ck_assert_uint_eq(file.memory->shared.trace_dropped, 0);
}
END_TEST

START_TEST(what_finds_no_room_is_counted)
{
    struct trace_file file = file_new(TRACE_HEADER + TRACE_GROWTH);
    struct detrun_task *t = lineage_root(file.memory, JOB_REAL_PID);
    for (uint64_t i = 0; i < 2 * EVENTS; i++)
        put(&file, t, 1, i);
    uint64_t kept = count(&file, t, 1);
    ck_assert_uint_gt(kept, TRACE_GROWTH / TRACE_SLOT * 9 / 10);
    ck_assert_uint_eq(kept + file.memory->shared.trace_dropped, UINT64_C(2) * EVENTS);
    ck_assert_uint_eq(file.memory->shared.trace_error, 28);
}
END_TEST

START_TEST(a_closed_trace_takes_no_more_chunks)
{
    struct trace_file file = file_new(ROOM);
    struct detrun_task *t = lineage_root(file.memory, JOB_REAL_PID);
    put(&file, t, 1, 0);
    uint64_t length = trace_close(file.memory);
    ck_assert_uint_eq(length, TRACE_HEADER + TRACE_FIRST_CHUNK);
    for (uint64_t i = 1; i < 1000; i++)
        put(&file, t, 1, i);
    ck_assert_uint_eq(trace_close(file.memory), length);
    ck_assert_uint_eq(count(&file, t, 1) + file.memory->shared.trace_dropped, 1000);
}
END_TEST

START_TEST(a_text_is_cut_off_at_its_limit)
{
    struct trace_file file = file_new(ROOM);
    struct detrun_task *t = lineage_root(file.memory, JOB_REAL_PID);
    char text[2 * TRACE_TEXT_LIMIT];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    put(&file, t, 1, 0);
    trace_put_text(&file, t, text);
    put(&file, t, 1, 1);
    const struct trace_text *pieces = (const void *)(file.base + TRACE_HEADER + 128 + TRACE_SLOT);
    size_t length = 0;
    for (; pieces->kind == TRACE_TEXT; pieces++)
        length += pieces->length;
    ck_assert_uint_eq(length, TRACE_TEXT_LIMIT);
    ck_assert_uint_eq(count(&file, t, 1), 2);
}
END_TEST

JOB_MAIN("trace", events_of_a_task_stay_in_their_order, tasks_that_write_at_once_lose_nothing,
         a_handler_may_come_at_any_time, what_finds_no_room_is_counted,
         a_closed_trace_takes_no_more_chunks, a_text_is_cut_off_at_its_limit)
