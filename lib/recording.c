/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"

#define FIRST_LINE "detrun-recording 1\n"
#define LAST_LINE  "end %" PRIu64
#define CAPTURE    "capture "

void recording_line(struct buffer *b, const char *name, const void *data, size_t length)
{
    char digest[DIGEST_TEXT];
    digest_bytes(data, length, digest);
    buffer_print(b, CAPTURE "%zu %s ", length, digest);
    buffer_json(b, name);
}

const char *recording_name(const char *line)
{
    const char *name = strchr(line, '"');
    return name ? name : "";
}

static int write_whole(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return -errno;
    int error = 0;
    while (length > 0 && !error) {
        ssize_t n = write(fd, text, length);
        if (n < 0) {
            error = errno == EINTR ? 0 : -errno;
            continue;
        }
        text += n;
        length -= (size_t)n;
    }
    return close(fd) != 0 && !error ? -errno : error;
}

/* No descriptor is held: the program may count its own. */
int recording_start(struct recording *r, const char *path)
{
    if (r->path)
        return -EALREADY;
    int error = write_whole(path, "", 0);
    if (error)
        return error;
    r->path = strdup(path);
    buffer_put(&r->lines, FIRST_LINE);
    return r->path ? 0 : -ENOMEM;
}

void recording_add(struct recording *r, const char *line)
{
    if (!r->path)
        return;
    buffer_print(&r->lines, "%s\n", line);
    r->count++;
}

int recording_finish(struct recording *r)
{
    int error = 0;
    if (r->path) {
        buffer_print(&r->lines, LAST_LINE "\n", r->count);
        error = r->lines.failed ? -ENOMEM : write_whole(r->path, r->lines.text, r->lines.length);
    }
    free(r->path);
    buffer_release(&r->lines);
    *r = (struct recording){0};
    return error;
}

/* @return all of a text file, or NULL with error */
static char *read_whole(const char *path, int *error)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    *error = file ? 0 : -errno;
    if (!file)
        return NULL;
    ssize_t n = getdelim(&text, &room, '\0', file);
    if (n < 0 && ferror(file))
        *error = -errno;
    else if (n <= 0 || strlen(text) != (size_t)n)
        *error = -EBADMSG;
    fclose(file);
    if (*error == 0)
        return text;
    free(text);
    return NULL;
}

/* @return 0 when the text is whole: its first and last line, and as many captures as that says */
static int split(struct playback *p)
{
    char *rest = p->text + strlen(FIRST_LINE);
    size_t room = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL && rest;) {
        char last[32];
        snprintf(last, sizeof(last), LAST_LINE, p->count);
        if (strcmp(line, last) == 0)
            return *rest == '\0' ? 0 : -EBADMSG;
        if (strncmp(line, CAPTURE, strlen(CAPTURE)) != 0)
            return -EBADMSG;
        room = p->count < room ? room : 2 * room + 16;
        char **lines = realloc(p->lines, room * sizeof(*lines));
        if (!lines)
            return -ENOMEM;
        p->lines = lines;
        p->lines[p->count++] = line;
    }
    return -EBADMSG;
}

int playback_open(struct playback *p, const char *path)
{
    if (p->text)
        return -EALREADY;
    int error;
    p->text = read_whole(path, &error);
    if (!p->text)
        return error;
    bool known = strncmp(p->text, FIRST_LINE, strlen(FIRST_LINE)) == 0;
    error = known ? split(p) : -EBADMSG;
    if (error)
        playback_close(p);
    return error;
}

void playback_compare(struct playback *p, const char *line)
{
    if (!p->text || p->diverged)
        return;
    uint64_t at = p->compared++;
    p->diverged = at >= p->count || strcmp(p->lines[at], line) != 0;
    if (p->diverged)
        p->seen = strdup(recording_name(line));
}

void playback_close(struct playback *p)
{
    free(p->text);
    free(p->lines);
    free(p->seen);
    *p = (struct playback){0};
}
