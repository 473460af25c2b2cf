/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libdetrun: seeds, the fixture, the lab and iterations for tests that run under detrun.
 *
 * It works outside detrun as well, inert: seeds and counters follow the environment
 * (E2E_DETERMINISTIC, E2E_SEED, E2E_TIME_STEP_MS), nothing is re-keyed, no record is written.
 *
 * All functions may be called by any thread, none by a signal handler. Functions that return int
 * return 0 or more, or a negative errno; those that create return NULL with errno set. Nothing is
 * printed, nothing aborts. Texts are UTF-8; what is not is written to records as U+FFFD.
 *
 * Seeded answers are predictable: never make keys, tokens or working identifiers of them.
 */
#ifndef DETRUN_H
#define DETRUN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DETRUN_API __attribute__((visibility("default")))
#else
#define DETRUN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Of the library, like "0.1.0". */
DETRUN_API const char *detrun_version(void);

/** @return 1 in a job of detrun that has its supervisor; else 0 */
DETRUN_API int detrun_in_job(void);

/* Seeds */

/** How the job seed becomes bytes: 8 of them, big-endian; decimal or 0x hex digits; any text. */
enum detrun_seed_encoding { DETRUN_SEED_BE8, DETRUN_SEED_DEC, DETRUN_SEED_HEX, DETRUN_SEED_TEXT };

/**
 * The test seed: the first 8 bytes, big-endian, of SHA-256(job seed + ":" + test name).
 * @param job_seed   0 to 2^64-1 in decimal or 0x hex; any text with DETRUN_SEED_TEXT
 * @param encoding   enum detrun_seed_encoding
 * @param test_name  any text, the empty one too
 * @return 0; -EINVAL: an argument is NULL, or not of that kind
 */
DETRUN_API int detrun_test_seed(const char *job_seed, int encoding, const char *test_name,
                                uint64_t *test_seed);

/* UUIDs */

#define DETRUN_UUID_SIZE 37

/**
 * A UUID of version 4 and the variant of RFC 9562, section 5.4, in lower case.
 * @param seed   its bytes are those of HMAC-SHA256(seed, "detrun:uuid:v1:" + index); NULL: random
 *               ones of the system's (under detrun these follow from the job seed)
 * @param index  which of the seed's list, from 0; nothing without a seed
 * @param uuid   room for DETRUN_UUID_SIZE bytes
 * @return 0; -EINVAL: uuid is NULL; or what getrandom(2) says
 */
DETRUN_API int detrun_uuid(const char *seed, uint64_t index, char *uuid);

/* The fixture: settings read once, two counters of its own. */

struct detrun_fixture;

/**
 * @param prefix        of the run id
 * @param default_seed  where neither E2E_SEED nor the job gives one
 * @return NULL with errno: EINVAL (prefix is NULL; E2E_DETERMINISTIC, E2E_SEED, E2E_TIME_STEP_MS or
 *         DETRUN_SEED_ENCODING has a bad value) or ENOMEM
 */
DETRUN_API struct detrun_fixture *detrun_fixture_new(const char *prefix, uint64_t default_seed);

/** With given settings instead of the environment's, for tests of tests. */
DETRUN_API struct detrun_fixture *detrun_fixture_new_with(const char *prefix, uint64_t seed,
                                                          int deterministic, uint64_t step_ms);

DETRUN_API void detrun_fixture_free(struct detrun_fixture *fixture);

/** E2E_SEED, or the job's seed, or the default. Of a text seed: the first 8 bytes of its SHA-256.
 */
DETRUN_API uint64_t detrun_fixture_seed(const struct detrun_fixture *fixture);

/** The seed of a test of that name, see detrun_test_seed(). NULL is the empty name. */
DETRUN_API uint64_t detrun_fixture_test_seed(const struct detrun_fixture *fixture,
                                             const char *test_name);

/** @return 1 or 0 */
DETRUN_API int detrun_fixture_deterministic(const struct detrun_fixture *fixture);

DETRUN_API uint64_t detrun_fixture_time_step_ms(const struct detrun_fixture *fixture);

/** PREFIX_seedN when deterministic, else PREFIX_PID_UNIXSECONDS. Valid until the fixture is freed.
 */
DETRUN_API const char *detrun_fixture_run_id(const struct detrun_fixture *fixture);

/**
 * The next time stamp: T000000, T000001, ... when deterministic; else Unix seconds with
 * milliseconds.
 * @return its length, as snprintf: what does not fit into room is cut; -EINVAL: text is NULL
 */
DETRUN_API int detrun_fixture_timestamp(struct detrun_fixture *fixture, char *text, size_t room);

/**
 * Milliseconds. When deterministic each call moves on by the step, and the first one gives the
 * step; else they are those since the fixture was made.
 */
DETRUN_API uint64_t detrun_fixture_now_ms(struct detrun_fixture *fixture);

/**
 * What of the environment programs often depend on, as it was when the fixture was made: one JSON
 * object with sorted keys. COLORTERM FTUI_TEST_PROFILE LANG LC_ALL TERM TZ are text or null,
 * NO_COLOR TMUX ZELLIJ whether they are set, seed a number, deterministic true or false.
 * Valid until the fixture is freed.
 */
DETRUN_API const char *detrun_fixture_env_snapshot(const struct detrun_fixture *fixture);

/* Tests: several in one program, each repeatable alone and in any order. */

/**
 * A test begins. The calling thread's random numbers, clocks and the numbers of its children start
 * anew under the seed of that test: what it is given does not depend on what ran before. Random
 * bytes are those of `detrun --test-name NAME`; monotonic clocks read half an hour more, so that a
 * harness that took the time before finds no negative duration, and may go back from one test to
 * the next of the same process. What libraries drew before (rand(), hash seeds) stays drawn.
 * Numbers of iterations and stages start anew. One test at a time in one process.
 * @return 0, outside detrun too; -EINVAL: name is NULL, or bad values in the environment; -ENOMEM
 */
DETRUN_API int detrun_test_begin(const char *name);

/** Seed of the present iteration, or else of the present test: for generators of your own. */
DETRUN_API uint64_t detrun_current_seed(void);

/**
 * A named artefact for comparison: its length and digest (XXH3, 128 bits) go into the record.
 * @return 0, without a record too; -EINVAL: a NULL pointer; or why the record could not be written
 */
DETRUN_API int detrun_stage(const char *name, const void *data, size_t length);

/** A record of something that happened. text may be NULL. @return as detrun_stage() */
DETRUN_API int detrun_event(const char *name, const char *text);

/* Iterations: one test with many inputs in one process.
 *
 *     detrun_test_begin("test_replication_invariant");
 *     detrun_max_examples(10);
 *     while (detrun_iteration_begin() != 0) {
 *         ... make an input of random numbers or detrun_current_seed() ...
 *         detrun_value("nodes", "3");
 *         detrun_call("C", "Host C did not respond", 0);
 *         detrun_iteration_end(DETRUN_FAILED, 0, "no quorum");
 *     }
 */

enum detrun_result { DETRUN_PASSED, DETRUN_FAILED, DETRUN_ERRORED, DETRUN_SKIPPED };

/**
 * How many iterations the present test has: what the run was given, then DETRUN_MAX_EXAMPLES, then
 * default_number. detrun_iteration_begin() keeps to it.
 */
DETRUN_API uint64_t detrun_max_examples(uint64_t default_number);

/**
 * The next iteration that is to be run begins. The calling thread is re-keyed to it, as by
 * detrun_test_begin(): its inputs do not depend on which iterations ran before.
 *
 * When one iteration is repeated alone (DETRUN_ONLY_ITERATION, see detrun run --iteration) this
 * gives that number, then 0.
 *
 * Where detrun_test_begin() failed, or would have, none can be run: that is said on standard error,
 * and the process ends with status 125, because a test without iterations would pass.
 * @return its number, from 1; 0: there is none left. Without any limit on the number of examples
 *         there always is one.
 */
DETRUN_API uint64_t detrun_iteration_begin(void);

/**
 * A named value of the present iteration's input. The last one of a name counts.
 * @return 0; -EINVAL: a NULL pointer, or no iteration has begun; -ENOMEM
 */
DETRUN_API int detrun_value(const char *name, const char *text);

/**
 * A call to a system under test.
 * @param host  which one was called
 * @param text  what came of it
 * @param ok    0: it failed
 * @return 0, without a record too; -EINVAL: a NULL pointer; -ENOMEM; or why the record could not be
 *         written
 */
DETRUN_API int detrun_call(const char *host, const char *text, int ok);

/**
 * The present iteration has ended. With DETRUN_FAILED and DETRUN_ERRORED the record also gets a
 * failure: values, calls, hosts, and how to repeat it.
 * @param result             enum detrun_result
 * @param shrinks_attempted  how often a smaller input was tried; 0 where that is not done
 * @param reason             why it failed, or NULL
 * @return 0, without a record too; -EINVAL: no iteration has begun, or no such result; or why the
 *         record could not be written
 */
DETRUN_API int detrun_iteration_end(int result, uint64_t shrinks_attempted, const char *reason);

/* The lab: scenarios whose captures are compared with those of an earlier run. */

struct detrun_session;

/**
 * Run one scenario: the caller is re-keyed as by detrun_test_begin(name), fn runs, and the record
 * gets its start, its warnings and its end.
 * @param fn  gets a session that is valid until it returns; 0: it went well
 * @return what fn returned; if that is 0, a negative errno where a recording could not be written;
 *         -EINVAL: a NULL pointer, or bad values in the environment; -ENOMEM
 */
DETRUN_API int detrun_scenario_run(const char *name,
                                   int (*fn)(struct detrun_session *session, void *argument),
                                   void *argument);

/** As detrun_fixture_now_ms(), with a counter of the session's own. */
DETRUN_API uint64_t detrun_session_now_ms(struct detrun_session *session);

/** Time moves on by one step. @return as detrun_session_now_ms(), whose counter it moves */
DETRUN_API uint64_t detrun_session_tick(struct detrun_session *session);

/** As detrun_event(), counted by the session. */
DETRUN_API int detrun_session_event(struct detrun_session *session, const char *name,
                                    const char *text);

/** Something is not as it should be, but the scenario goes on. @return as detrun_event() */
DETRUN_API int detrun_session_warn(struct detrun_session *session, const char *text);

/** As detrun_stage(); recorded and compared as well, where the session does that. */
DETRUN_API int detrun_session_capture(struct detrun_session *session, const char *name,
                                      const void *data, size_t length);

/**
 * Captures from now on are recorded: names, lengths and digests, written to the file when the
 * scenario ends.
 * @return 0; -EINVAL: a NULL pointer; -EALREADY; or why the file cannot be written
 */
DETRUN_API int detrun_session_record(struct detrun_session *session, const char *path);

/**
 * Captures from now on are compared with those of a recording, in order.
 * @return 0; -EINVAL: a NULL pointer; -EALREADY; -EBADMSG: the file is no recording, or cut off; or
 *         why it cannot be read
 */
DETRUN_API int detrun_session_replay(struct detrun_session *session, const char *path);

enum detrun_verdict { DETRUN_MATCHED, DETRUN_DIVERGED, DETRUN_INCONCLUSIVE };

#define DETRUN_NO_DIVERGENCE UINT64_MAX

struct detrun_replay {
    int verdict;               /**< enum detrun_verdict; nothing compared is inconclusive */
    uint64_t compared;         /**< captures up to the first divergence, that one included */
    uint64_t first_divergence; /**< which capture, from 0; or DETRUN_NO_DIVERGENCE */
    char stage[256];           /**< its name, cut where it is longer; or "" */
};

/**
 * How the captures so far compare. Captures of the recording that have not come count as missing:
 * ask when the last one is done.
 * @return 0; -EINVAL: a NULL pointer, or nothing is replayed
 */
DETRUN_API int detrun_session_replay_result(struct detrun_session *session,
                                            struct detrun_replay *result);

/** Of the job; outside detrun of the process. They never fall. */
DETRUN_API uint64_t detrun_scenarios_run_total(void);
DETRUN_API uint64_t detrun_recordings_total(void);
DETRUN_API uint64_t detrun_replays_total(void);

#ifdef __cplusplus
}
#endif

#endif
