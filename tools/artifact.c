/* SPDX-License-Identifier: MIT */
#include "artifact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "message.h"

static int read_whole(struct artifact *a, int fd)
{
    size_t room = 0;
    ssize_t n = 1;
    while (n > 0) {
        if (a->length == room) {
            room = room ? room * 2 : 65536;
            char *bytes = realloc(a->bytes, room);
            if (!bytes)
                return -ENOMEM;
            a->bytes = bytes;
        }
        n = read(fd, a->bytes + a->length, room - a->length);
        a->length += n > 0 ? (size_t)n : 0;
        if (n < 0 && errno == EINTR)
            n = 1;
    }
    return n < 0 ? -errno : 0;
}

int artifact_take_descriptor(struct artifact *a, int fd)
{
    *a = (struct artifact){0};
    lseek(fd, 0, SEEK_SET);
    int error = read_whole(a, fd);
    digest_bytes(a->bytes, a->length, a->digest);
    return error;
}

int artifact_take(struct artifact *a, const char *path)
{
    struct stat status;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
    if (fd >= 0)
        return artifact_take_descriptor(a, fd);
    *a = (struct artifact){.missing = true};
    return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}

void artifact_free(struct artifact *a)
{
    free(a->bytes);
    *a = (struct artifact){0};
}

bool artifact_equal(const struct artifact *a, const struct artifact *b)
{
    return a->missing == b->missing && a->length == b->length &&
           (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static void take_line(const struct artifact *a, size_t start, char *text, size_t room)
{
    char line[128];
    size_t n = 0;
    while (n + 1 < sizeof(line) && start + n < a->length && a->bytes[start + n] != '\n')
        n++;
    if (n > 0)
        memcpy(line, a->bytes + start, n);
    line[n] = '\0';
    message_escape(text, room, line);
    if (start >= a->length)
        message_escape(text, room, "(end)");
}

void artifact_difference(const struct artifact *a, const struct artifact *b, struct difference *d)
{
    size_t start = 0;
    *d = (struct difference){.line = 1};
    while (d->offset < a->length && d->offset < b->length &&
           a->bytes[d->offset] == b->bytes[d->offset]) {
        if (a->bytes[d->offset++] != '\n')
            continue;
        d->line++;
        start = d->offset;
    }
    take_line(a, start, d->a, sizeof(d->a));
    take_line(b, start, d->b, sizeof(d->b));
}
