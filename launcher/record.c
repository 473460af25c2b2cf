/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "json.h"
#include "redact.h"
#include "values.h"

#define FIRST_DESCRIPTOR 3

/* Of the caller's the command would inherit a second one. */
static int take_over(int fd)
{
    int own = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (own >= 0 && fd > STDERR_FILENO)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return own;
}

static int open_spec(const char *spec)
{
    uint64_t number;
    if (strcmp(spec, "-") == 0)
        return take_over(STDOUT_FILENO);
    if (strncmp(spec, "fd:", 3) != 0)
        return open(spec, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (!value_u64(spec + 3, &number) || number > INT32_MAX) {
        errno = EINVAL;
        return -1;
    }
    return take_over((int)number);
}

/* A line that a crash cut off must not swallow ours. */
static void end_last_line(int fd)
{
    char last;
    off_t end = lseek(fd, 0, SEEK_END);
    if (end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n')
        (void)!write(fd, "\n", 1);
}

int record_open(const char *spec, char *error, size_t room)
{
    int fd = open_spec(spec);
    if (fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        close(fd);
        errno = EBADF;
        fd = -1;
    }
    if (fd >= 0) {
        end_last_line(fd);
        return fd;
    }
    int result = -errno;
    snprintf(error, room,
             "--record: cannot write \"%s\": %s; give a file, - or fd:N of an open descriptor",
             spec, strerror(-result));
    return result;
}

static int write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        text += n;
        length -= (size_t)n;
    }
    return 0;
}

/* A lock of the process's own: launcher and supervisor share one open file. */
static void lock(int fd, short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    while (fcntl(fd, F_SETLKW, &whole) != 0 && errno == EINTR)
        ;
}

static int append(int fd, const char *line, size_t length)
{
    lock(fd, F_WRLCK);
    off_t end = lseek(fd, 0, SEEK_END);
    int error = write_all(fd, line, length);
    if (error && end >= 0)
        (void)!ftruncate(fd, end);
    lock(fd, F_UNLCK);
    return error;
}

int record_begin(struct record *r, const struct detrun_params *p, const char *place, uint32_t seq,
                 const char *event)
{
    *r = (struct record){0};
    r->out = open_memstream(&r->text, &r->size);
    if (!r->out)
        return -ENOMEM;
    fprintf(r->out, "{\"schema_version\":%d,\"seq\":%" PRIu32 ",\"ts\":\"T%06" PRIu32 "\"",
            RECORD_SCHEMA_VERSION, seq, seq);
    fprintf(r->out, ",\"event\":\"%s\",\"run_id\":", event);
    AUTO_FREE char *name = redact_text(p->redact, p->test_name);
    AUTO_FREE char *run_id = NULL;
    if (!name || asprintf(&run_id, "%s_seed%" PRIu64, name, p->job_seed) < 0)
        run_id = NULL;
    json_put_text(r->out, run_id ? run_id : "");
    fprintf(r->out, ",\"seed\":%" PRIu64 ",\"seed_hex\":\"0x%" PRIx64 "\"", p->job_seed,
            p->job_seed);
    fprintf(r->out, ",\"deterministic\":true,\"task\":\"%s\"", place);
    if (p->iteration != 0)
        fprintf(r->out, ",\"run\":%" PRIu32, p->iteration);
    return 0;
}

void record_put_u64(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":%" PRIu64 ",\"%s_hex\":\"0x%" PRIx64 "\"", name, value, name, value);
}

void record_put_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    if (text)
        json_put_text(out, text);
    else
        fputs("null", out);
}

static void put_hex(FILE *out, const char *word)
{
    fputc('"', out);
    for (; *word; word++)
        fprintf(out, "%02x", (unsigned)(unsigned char)*word);
    fputc('"', out);
}

void record_put_word(FILE *out, const char *word, const char *redact)
{
    AUTO_FREE char *left = redact_text(redact ? redact : "", word);
    bool whole = left && strcmp(left, word) == 0;
    if (!whole || json_is_utf8(word)) {
        json_put_text(out, left ? left : REDACTED);
        return;
    }
    fputs("{\"text\":", out);
    json_put_text(out, word);
    fputs(",\"hex\":", out);
    put_hex(out, word);
    fputc('}', out);
}

static bool is_beyond_limit(const struct detrun_memory *m, size_t size)
{
    uint64_t recorded = atomic_load_explicit(&m->shared.recorded, memory_order_relaxed);
    return m->params.record_limit != 0 && recorded + size > m->params.record_limit;
}

static int put(struct detrun_memory *m, int fd, const char *text, size_t size)
{
    int error = append(fd, text, size);
    uint32_t none = 0;
    if (error)
        atomic_compare_exchange_strong(&m->shared.record_error, &none, (uint32_t)-error);
    else
        atomic_fetch_add(&m->shared.recorded, size);
    return error;
}

static int put_truncated(struct detrun_memory *m, int fd)
{
    struct record r;
    if (atomic_exchange(&m->shared.truncated, 1) != 0)
        return -EFBIG;
    if (record_begin(&r, &m->params, "0", 0, "truncated") != 0)
        return -ENOMEM;
    fprintf(r.out, ",\"limit\":%" PRIu64 "}\n", m->params.record_limit);
    int error = fclose(r.out) == 0 ? put(m, fd, r.text, r.size) : -ENOMEM;
    free(r.text);
    return error ? error : -EFBIG;
}

static int append_whole(struct detrun_memory *m, int fd, const char *text, size_t size)
{
    uint32_t failed = atomic_load(&m->shared.record_error);
    if (failed != 0)
        return -(int)failed;
    if (atomic_load(&m->shared.truncated) || is_beyond_limit(m, size))
        return put_truncated(m, fd);
    return put(m, fd, text, size);
}

/* Rather no record than one with the secret in it. */
int record_end(struct record *r, struct detrun_memory *m, int fd)
{
    AUTO_FREE char *text = fclose(r->out) == 0 ? redact_record(m->params.redact, r->text) : NULL;
    AUTO_FREE char *line = NULL;
    free(r->text);
    int n = text ? asprintf(&line, "%s}\n", text) : -1;
    return n < 0 ? -ENOMEM : append_whole(m, fd, line, (size_t)n);
}

int record_copy(struct detrun_memory *m, int fd, const char *line)
{
    AUTO_FREE char *text = NULL;
    int n = asprintf(&text, "%s\n", line);
    return n < 0 ? -ENOMEM : append_whole(m, fd, text, (size_t)n);
}
