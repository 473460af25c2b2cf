/* SPDX-License-Identifier: MIT */
/*
 * detrun note: records of what a shell did. Without a record file nothing is written, and that is
 * no error: a script says the same in each run.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "detrun.h"
#include "digest.h"
#include "message.h"
#include "notes.h"
#include "tools.h"
#include "words.h"

static const char usage[] =
    "usage: detrun note event NAME [TEXT] | stage NAME FILE | call HOST TEXT ok|failed\n\n"
    "Writes one record of the job (detrun --record FILE); without one nothing.\n\n"
    "  event NAME [TEXT]          something happened\n"
    "  stage NAME FILE            a named artefact: its length and digest (-: standard input)\n"
    "  call HOST TEXT ok|failed   what came of a call to a system under test";

static int note_event(char **words)
{
    return detrun_event(words[0], words[1]);
}

static int note_stage(char **words)
{
    char digest[DIGEST_TEXT];
    uint64_t length = 0;
    bool is_input = strcmp(words[1], "-") == 0;
    AUTO_CLOSE int fd = is_input ? dup(STDIN_FILENO) : open(words[1], O_RDONLY | O_CLOEXEC);
    int error = fd < 0 ? -errno : digest_descriptor(fd, digest, &length);
    if (!error)
        return notes_stage(words[0], length, digest);
    message_say("cannot read \"%s\": %s", words[1], strerror(-error));
    return 1;
}

static int note_call(char **words)
{
    bool ok = strcmp(words[2], "ok") == 0;
    if (ok || strcmp(words[2], "failed") == 0)
        return detrun_call(words[0], words[1], ok);
    message_say("note call: \"%s\" is neither ok nor failed", words[2]);
    return 1;
}

static const struct kind {
    const char *name;
    int least;
    int most;
    int (*note)(char **words); /**< 0, -errno, or 1: said what is wrong */
} kinds[] = {{"event", 1, 2, note_event}, {"stage", 2, 2, note_stage}, {"call", 3, 3, note_call}};

static const struct kind *find_kind(const char *name, int words)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(name, kinds[i].name) == 0 && words >= kinds[i].least && words <= kinds[i].most)
            return &kinds[i];
    return NULL;
}

int tool_note(char **words)
{
    const struct word_option options[] = {{NULL, NULL, NULL}};
    struct words w = {usage, options, false};
    int n = words_take(&w, words);
    if (n < 0)
        return w.helped ? 0 : COMMAND_USAGE;
    const struct kind *kind = n > 0 ? find_kind(words[0], n - 1) : NULL;
    if (!kind)
        return words_usage(&w);
    int error = kind->note(words + 1);
    if (error < 0)
        message_say("note %s: no record was written: %s", kind->name, strerror(-error));
    return error ? COMMAND_USAGE : 0;
}
