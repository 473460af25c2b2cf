/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "detrun.h"
#include "operations.h"
#include "recording.h"
#include "surroundings.h"
#include "ticks.h"

struct detrun_session {
    const char *name;
    struct ticks ticks;
    _Atomic uint64_t events;
    pthread_mutex_t lock; /**< of both below */
    struct recording recording;
    struct playback playback;
};

/* @param members  behind name and phase, or NULL */
static int record_phase(const struct detrun_session *s, const char *phase, const char *members)
{
    if (!operation_has_record())
        return 0;
    struct buffer b = {0};
    buffer_put(&b, "scenario\n");
    buffer_json_member(&b, "name", s->name);
    buffer_print(&b, ",\"phase\":\"%s\"%s", phase, members ? members : "");
    return operation_record(&b);
}

/* How many scenarios the job has run by now depends on who was faster. */
static int record_end(struct detrun_session *s, uint64_t total)
{
    char members[96];
    snprintf(members, sizeof(members),
             ",\"event_count\":%" PRIu64 ",\"volatile\":{\"total\":%" PRIu64 "}",
             atomic_load(&s->events), total);
    return record_phase(s, "end", members);
}

int detrun_scenario_run(const char *name, int (*fn)(struct detrun_session *session, void *argument),
                        void *argument)
{
    struct surroundings around;
    if (!name || !fn || surroundings_read(&around) != 0)
        return -EINVAL;
    int error = detrun_test_begin(name);
    if (error)
        return error;
    struct detrun_session session = {.name = name, .lock = PTHREAD_MUTEX_INITIALIZER};
    ticks_start(&session.ticks, around.deterministic, around.step_ms);
    uint64_t total = operation_count(DETRUN_COUNTER_SCENARIOS, 1);
    error = record_phase(&session, "start", NULL);
    int result = fn(&session, argument);
    int other = recording_finish(&session.recording);
    playback_close(&session.playback);
    error = error ? error : other;
    other = record_end(&session, total);
    error = error ? error : other;
    return result ? result : error;
}

uint64_t detrun_session_now_ms(struct detrun_session *session)
{
    return ticks_now_ms(&session->ticks);
}

uint64_t detrun_session_tick(struct detrun_session *session)
{
    return ticks_now_ms(&session->ticks);
}

int detrun_session_event(struct detrun_session *session, const char *name, const char *text)
{
    if (!session || !name)
        return -EINVAL;
    atomic_fetch_add(&session->events, 1);
    return detrun_event(name, text);
}

int detrun_session_warn(struct detrun_session *session, const char *text)
{
    if (!session || !text)
        return -EINVAL;
    AUTO_BUFFER struct buffer b = {0};
    buffer_put(&b, ",");
    buffer_json_member(&b, "text", text);
    return b.failed ? -ENOMEM : record_phase(session, "warn", b.text);
}

int detrun_session_capture(struct detrun_session *session, const char *name, const void *data,
                           size_t length)
{
    if (!session || !name || (!data && length > 0))
        return -EINVAL;
    AUTO_BUFFER struct buffer line = {0};
    recording_line(&line, name, data, length);
    if (line.failed)
        return -ENOMEM;
    pthread_mutex_lock(&session->lock);
    recording_add(&session->recording, line.text);
    playback_compare(&session->playback, line.text);
    pthread_mutex_unlock(&session->lock);
    return detrun_stage(name, data, length);
}

int detrun_session_record(struct detrun_session *session, const char *path)
{
    if (!session || !path)
        return -EINVAL;
    pthread_mutex_lock(&session->lock);
    int error = recording_start(&session->recording, path);
    pthread_mutex_unlock(&session->lock);
    if (!error)
        operation_count(DETRUN_COUNTER_RECORDINGS, 1);
    return error;
}

int detrun_session_replay(struct detrun_session *session, const char *path)
{
    if (!session || !path)
        return -EINVAL;
    pthread_mutex_lock(&session->lock);
    int error = playback_open(&session->playback, path);
    pthread_mutex_unlock(&session->lock);
    if (!error)
        operation_count(DETRUN_COUNTER_REPLAYS, 1);
    return error;
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* @return behind the character that the text begins with, as buffer_json() writes it */
static const char *read_character(const char *at, char *character)
{
    bool escaped = *at == '\\';
    at += escaped;
    *character = *at;
    if (!escaped || *at != 'u')
        return at + 1;
    *character = (char)(hex_digit(at[3]) * 16 + hex_digit(at[4]));
    return at + 5;
}

static void put_stage(struct detrun_replay *result, const char *json)
{
    char *to = result->stage;
    for (json++; *json && *json != '"' && to < result->stage + sizeof(result->stage) - 1; to++)
        json = read_character(json, to);
    *to = '\0';
}

static void tell(const struct playback *p, struct detrun_replay *result)
{
    *result =
        (struct detrun_replay){.compared = p->compared, .first_divergence = DETRUN_NO_DIVERGENCE};
    bool missing = !p->diverged && p->compared < p->count;
    if (p->compared == 0) {
        result->verdict = DETRUN_INCONCLUSIVE;
    } else if (p->diverged || missing) {
        result->verdict = DETRUN_DIVERGED;
        result->first_divergence = missing ? p->compared : p->compared - 1;
        const char *name = missing ? recording_name(p->lines[p->compared]) : p->seen;
        if (name)
            put_stage(result, name);
    }
}

int detrun_session_replay_result(struct detrun_session *session, struct detrun_replay *result)
{
    if (!session || !result)
        return -EINVAL;
    pthread_mutex_lock(&session->lock);
    bool replaying = session->playback.text != NULL;
    if (replaying)
        tell(&session->playback, result);
    pthread_mutex_unlock(&session->lock);
    return replaying ? 0 : -EINVAL;
}

uint64_t detrun_scenarios_run_total(void)
{
    return operation_count(DETRUN_COUNTER_SCENARIOS, 0);
}

uint64_t detrun_recordings_total(void)
{
    return operation_count(DETRUN_COUNTER_RECORDINGS, 0);
}

uint64_t detrun_replays_total(void)
{
    return operation_count(DETRUN_COUNTER_REPLAYS, 0);
}
