/* SPDX-License-Identifier: MIT */
#include "rerun.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"
#include "record_reader.h"
#include "redact.h"
#include "self.h"

#define OWN_WORDS 12

static bool add(struct rerun *r, char *word)
{
    bool fits = word && r->argc < r->room;
    if (fits)
        r->argv[r->argc++] = word;
    return fits;
}

static bool add_option(struct rerun *r, const char *name, const char *text)
{
    char *word = NULL;
    return asprintf(&word, "--%s=%s", name, text) >= 0 && add(r, word);
}

/* As it was given. */
static bool add_word(struct rerun *r, const char *option, const json_t *value)
{
    char *word = record_word(value);
    bool good = word && (option ? add_option(r, option, word) : add(r, word));
    if (option || !good)
        free(word);
    return good;
}

static bool add_number(struct rerun *r, const char *name, int64_t number)
{
    char text[32];
    snprintf(text, sizeof(text), "%" PRId64, number);
    return number == 0 || add_option(r, name, text);
}

/* A run of a repeat may have had a seed of its own. */
static bool add_seed(struct rerun *r)
{
    uint64_t first;
    uint64_t seed;
    char text[32];
    if (!record_u64(r->recorded->start, "job_seed", &first) ||
        !record_u64(r->recorded->failure, "job_seed", &seed) || first == seed)
        return true;
    snprintf(text, sizeof(text), "%" PRIu64, seed);
    return add_option(r, "seed", text) && add_option(r, "seed-encoding", "be8");
}

static bool add_words(struct rerun *r, const char *member, const char *option)
{
    bool good = true;
    size_t i;
    json_t *word;
    json_array_foreach(json_object_get(r->recorded->start, member), i, word) good =
        good && add_word(r, option, word);
    return good;
}

static bool add_options(struct rerun *r)
{
    const json_t *start = r->recorded->start;
    const char *name;
    json_t *value;
    bool good = true;
    json_object_foreach(json_object_get(start, "options"), name, value) good =
        good && add_word(r, name, value);
    good = good && add_words(r, "unset", "unset") && add_words(r, "set", "set") &&
           add_words(r, "exports", "export");
    good =
        good && add_seed(r) && add_number(r, "iteration", recorded_iteration(r->recorded->failure));
    if (!json_object_get(json_object_get(start, "options"), "run-number"))
        good = good && add_number(r, "run-number", record_number(r->recorded->failure, "run", 0));
    return good;
}

static bool add_command(struct rerun *r)
{
    size_t i;
    json_t *word;
    bool good = add(r, strdup("--"));
    json_array_foreach(json_object_get(r->recorded->start, "command"), i, word) good =
        good && add_word(r, NULL, word);
    return good && i > 0;
}

static int complain(const char *line)
{
    message_say("%s", line);
    return -1;
}

/* Does a word lack what --redact took? */
static bool is_redacted(const struct rerun *r)
{
    if (!json_is_true(json_object_get(r->recorded->start, "redacted")))
        return false;
    for (int i = 0; i < r->argc; i++)
        if (strstr(r->argv[i], REDACTED))
            return true;
    return false;
}

static int build(struct rerun *r)
{
    const json_t *start = r->recorded->start;
    size_t n = json_object_size(json_object_get(start, "options")) + 3 * OPTIONS_WORDS +
               json_array_size(json_object_get(start, "command")) + OWN_WORDS;
    char record[32];
    snprintf(record, sizeof(record), "fd:%d", r->records);
    r->argv = calloc(n + 1, sizeof(*r->argv));
    r->room = (int)n;
    if (!r->argv || !add(r, self_beside("detrun")) || !add(r, strdup("run")) || !add_options(r) ||
        !add_option(r, "record", record) || !add(r, strdup("--quiet")) || !add_command(r))
        return complain("the record does not say what was run");
    if (is_redacted(r))
        return complain("--redact took a part of what was run from the record: run it by hand");
    if (options_parse(&r->options, r->argc, r->argv) != 0) {
        message_say("as recorded it cannot be run: %s", r->options.error);
        return -1;
    }
    if (r->options.action != OPTIONS_UNTOUCHED)
        return 0;
    message_say("%s is off: nothing would be replayed; unset it", DETRUN_ENV_DETERMINISTIC);
    return -1;
}

int rerun_prepare(struct rerun *r, const struct recorded *recorded)
{
    *r = (struct rerun){.recorded = recorded};
    r->records = memfd_create("records", 0);
    if (r->records >= 0)
        return build(r);
    message_say("cannot make a file for records: %s", strerror(errno));
    return -1;
}

void rerun_free(struct rerun *r)
{
    for (int i = 0; i < r->argc; i++)
        free(r->argv[i]);
    free(r->argv);
    if (r->records >= 0)
        close(r->records);
    *r = (struct rerun){.records = -1};
}

static _Noreturn void become_run(const struct rerun *r, bool quiet)
{
    int null = quiet ? open("/dev/null", O_RDWR) : -1;
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    execv(r->argv[0], r->argv);
    _exit(DETRUN_EXIT_NOT_FOUND);
}

int rerun_run(const struct rerun *r, bool quiet)
{
    int status;
    pid_t pid = fork();
    if (pid == 0)
        become_run(r, quiet);
    /* The run ends by what ends us, and what it then says is still heard. */
    void (*old[])(int) = {signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN)};
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, old[0]);
    signal(SIGTERM, old[1]);
    if (pid < 0)
        message_say("cannot start a process: %s", strerror(errno));
    return pid > 0 ? 0 : -1;
}

/** What the new run says. */
struct again {
    char *reason; /**< NULL: it did not fail */
    bool same_input;
    bool skipped;
    bool ended;
    char inputs[64];
};

static bool is_the_one(const struct rerun *r, const json_t *record)
{
    return recorded_iteration(record) == recorded_iteration(r->recorded->failure);
}

static void take(const struct rerun *r, struct again *again, const json_t *record)
{
    if (record_is(record, "failure") && is_the_one(r, record)) {
        free(again->reason);
        again->reason = strdup(record_text(record, "reason", ""));
        again->same_input = json_equal(json_object_get(record, "input"),
                                       json_object_get(r->recorded->failure, "input"));
    } else if (record_is(record, "end")) {
        again->ended = true;
        again->skipped = strcmp(record_text(record, "result", ""), "SKIPPED") == 0;
        snprintf(again->inputs, sizeof(again->inputs), "%s",
                 record_text(record, "input_digest", ""));
    }
}

static void read_again(const struct rerun *r, struct again *again)
{
    struct record_reader reader;
    char error[512];
    char path[32];
    json_t *record;
    *again = (struct again){0};
    snprintf(path, sizeof(path), "/proc/self/fd/%d", r->records);
    if (record_reader_open(&reader, path, error, sizeof(error)) != 0)
        return;
    while (record_reader_next(&reader, &record, error, sizeof(error)) > 0) {
        take(r, again, record);
        json_decref(record);
    }
    record_reader_close(&reader);
}

/* One iteration alone is answered less than all of them. */
static const char *about_inputs(const struct rerun *r, const struct again *again)
{
    const char *before = record_text(r->recorded->end, "input_digest", "");
    if (recorded_iteration(r->recorded->failure) != 0 || !*before || !*again->inputs)
        return "";
    return strcmp(before, again->inputs) == 0 ? " (inputs equal)" : " (its inputs differ, too)";
}

const char *const rerun_verdict_names[] = {[RERUN_REPRODUCED] = "reproduced",
                                           [RERUN_OTHERWISE] = "failed otherwise",
                                           [RERUN_NOT] = "not reproduced",
                                           [RERUN_INCONCLUSIVE] = "inconclusive"};

enum rerun_verdict rerun_judge(const struct rerun *r, char *text, size_t room)
{
    const char *before = record_text(r->recorded->failure, "reason", "");
    enum rerun_verdict verdict = RERUN_REPRODUCED;
    struct again again;
    read_again(r, &again);
    if (!again.ended || again.skipped) {
        snprintf(text, room, "inconclusive: the run %s",
                 again.skipped ? "was skipped" : "did not end");
        verdict = RERUN_INCONCLUSIVE;
    } else if (!again.reason) {
        snprintf(text, room, "not reproduced: a flake that the seed does not cause%s",
                 about_inputs(r, &again));
        verdict = RERUN_NOT;
    } else if (strcmp(before, again.reason) != 0 || !again.same_input) {
        snprintf(text, room, "failed otherwise: %s%s, recorded: %s%s", again.reason,
                 again.same_input ? "" : ", with another input", before, about_inputs(r, &again));
        verdict = RERUN_OTHERWISE;
    } else {
        snprintf(text, room, "reproduced: %s%s", before, about_inputs(r, &again));
    }
    free(again.reason);
    return verdict;
}
