/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "detrun.h"
#include "snapshot.h"
#include "surroundings.h"
#include "ticks.h"

struct detrun_fixture {
    struct job_seed seed;
    struct ticks ticks;
    char *seed_text;
    char *run_id;
    char *snapshot;
};

static char *make_run_id(const char *prefix, uint64_t seed, bool deterministic)
{
    struct buffer b = {0};
    if (deterministic)
        buffer_print(&b, "%s_seed%" PRIu64, prefix, seed);
    else
        buffer_print(&b, "%s_%ld_%" PRId64, prefix, (long)getpid(), (int64_t)time(NULL));
    if (b.failed)
        buffer_release(&b);
    return b.text;
}

static char *make_snapshot(uint64_t seed, bool deterministic)
{
    struct buffer b = {0};
    snapshot_print(&b, seed, deterministic);
    if (b.failed)
        buffer_release(&b);
    return b.text;
}

/* The text of a text seed is the environment's, which may change. */
static bool keep_seed(struct detrun_fixture *f, const struct job_seed *seed)
{
    f->seed = *seed;
    f->seed_text = strdup(seed->text ? seed->text : "");
    f->seed.text = f->seed_text;
    return f->seed_text != NULL;
}

static struct detrun_fixture *make(const char *prefix, const struct job_seed *seed,
                                   bool deterministic, uint64_t step_ms)
{
    struct detrun_fixture *f = calloc(1, sizeof(*f));
    if (!f)
        return NULL;
    ticks_start(&f->ticks, deterministic, step_ms);
    f->run_id = make_run_id(prefix, seed->number, deterministic);
    f->snapshot = make_snapshot(seed->number, deterministic);
    if (keep_seed(f, seed) && f->run_id && f->snapshot)
        return f;
    detrun_fixture_free(f);
    errno = ENOMEM;
    return NULL;
}

static struct detrun_fixture *refuse(void)
{
    errno = EINVAL;
    return NULL;
}

struct detrun_fixture *detrun_fixture_new(const char *prefix, uint64_t default_seed)
{
    struct surroundings s;
    if (!prefix || surroundings_read(&s) != 0)
        return refuse();
    struct job_seed fallback = {SEED_BE8, default_seed, NULL};
    return make(prefix, s.has_seed ? &s.seed : &fallback, s.deterministic, s.step_ms);
}

struct detrun_fixture *detrun_fixture_new_with(const char *prefix, uint64_t seed, int deterministic,
                                               uint64_t step_ms)
{
    struct job_seed number = {SEED_BE8, seed, NULL};
    return prefix ? make(prefix, &number, deterministic != 0, step_ms) : refuse();
}

void detrun_fixture_free(struct detrun_fixture *fixture)
{
    if (!fixture)
        return;
    free(fixture->seed_text);
    free(fixture->run_id);
    free(fixture->snapshot);
    free(fixture);
}

uint64_t detrun_fixture_seed(const struct detrun_fixture *fixture)
{
    return fixture->seed.number;
}

uint64_t detrun_fixture_test_seed(const struct detrun_fixture *fixture, const char *test_name)
{
    return seed_for_test(&fixture->seed, test_name ? test_name : "");
}

int detrun_fixture_deterministic(const struct detrun_fixture *fixture)
{
    return fixture->ticks.deterministic;
}

uint64_t detrun_fixture_time_step_ms(const struct detrun_fixture *fixture)
{
    return fixture->ticks.step_ms;
}

const char *detrun_fixture_run_id(const struct detrun_fixture *fixture)
{
    return fixture->run_id;
}

int detrun_fixture_timestamp(struct detrun_fixture *fixture, char *text, size_t room)
{
    return text ? ticks_timestamp(&fixture->ticks, text, room) : -EINVAL;
}

uint64_t detrun_fixture_now_ms(struct detrun_fixture *fixture)
{
    return ticks_now_ms(&fixture->ticks);
}

const char *detrun_fixture_env_snapshot(const struct detrun_fixture *fixture)
{
    return fixture->snapshot;
}
