/* SPDX-License-Identifier: MIT */
#include "replay_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "command.h"
#include "config.h"
#include "digest.h"
#include "message.h"
#include "record_reader.h"

static unsigned differs(const char *what, const char *before, const char *now)
{
    message_say("differs: %s (recorded %s, now %s)", what, before, now);
    return 1;
}

static unsigned compare_file(const json_t *start, const char *name, const char *what, int fd)
{
    const char *before = record_text(json_object_get(start, "volatile"), name, NULL);
    char now[DIGEST_TEXT] = "none";
    if (fd >= 0) {
        digest_descriptor(fd, now, NULL);
        close(fd);
    }
    return before && strcmp(before, now) != 0 ? differs(what, before, now) : 0;
}

static unsigned compare_input(const json_t *input)
{
    AUTO_FREE char *word = record_word(json_object_get(input, "path"));
    const char *path = word ? word : "";
    const char *before = record_text(input, "xxh3", "");
    char now[DIGEST_TEXT] = "none";
    char mode[8] = "none";
    struct stat status;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &status) == 0) {
        digest_descriptor(fd, now, NULL);
        snprintf(mode, sizeof(mode), "%04o", (unsigned)(status.st_mode & 07777));
    }
    if (strcmp(before, now) != 0)
        return differs(path, before, now);
    if (strcmp(record_text(input, "mode", ""), mode) != 0)
        return differs(path, record_text(input, "mode", ""), mode);
    return 0;
}

static unsigned compare_version(const json_t *start)
{
    char before[32];
    char now[32];
    int64_t version = record_number(start, "stream_version", 0);
    if (version == DETRUN_STREAM_VERSION)
        return 0;
    snprintf(before, sizeof(before), "%lld", (long long)version);
    snprintf(now, sizeof(now), "%u", DETRUN_STREAM_VERSION);
    return differs("stream_version: this detrun answers otherwise", before, now);
}

struct settings_compared {
    const json_t *options;
    unsigned differences;
};

/* What the environment or another default adds to the recorded ones. */
static void compare_setting(const char *name, const char *text, void *argument)
{
    static const char *const replayed[] = {"seed", "seed-encoding", "run-number", "iteration"};
    struct settings_compared *compared = argument;
    for (size_t i = 0; i < sizeof(replayed) / sizeof(replayed[0]); i++)
        if (strcmp(name, replayed[i]) == 0)
            return;
    AUTO_FREE char *before = record_word(json_object_get(compared->options, name));
    if (!before || strcmp(before, text) != 0)
        compared->differences += differs(name, before ? before : "not given", text);
}

unsigned replay_state_compare(const json_t *start, const struct options *o)
{
    struct settings_compared settings = {json_object_get(start, "options"), 0};
    struct command_file program;
    size_t i;
    json_t *input;
    command_find(&program, o->command[0]);
    unsigned n = compare_version(start);
    n += compare_file(start, "program_xxh3", "the program's file", command_open(&program));
    n += compare_file(start, "loader_xxh3", "its loader, and so its libc",
                      command_open_loader(&program));
    json_array_foreach(json_object_get(start, "inputs"), i, input) n += compare_input(input);
    config_each_given(o, compare_setting, &settings);
    return n + settings.differences;
}
