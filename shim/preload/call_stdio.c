/* SPDX-License-Identifier: MIT */
/*
 * Streams on random files: stdio reads them inside libc, past every symbol. In glibc that ends in
 * read(), so the ENTRY door is armed. In musl each stream points to the function that reads it, so
 * a stream on a random file is given another one.
 */
#include <fcntl.h>
#include <stdbool.h>

#include "call_files.h"
#include "calls.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "sites.h"
#include "task.h"
#include "tracing.h"
#include "writes.h"

/* The head of musl's FILE, as it has been since musl 1.0. */
struct musl_stream {
    unsigned flags;
    unsigned char *read_at;
    unsigned char *read_end;
    int (*close)(FILE *stream);
    unsigned char *write_end;
    unsigned char *write_at;
    unsigned char *reserved;
    unsigned char *write_base;
    size_t (*read)(FILE *stream, unsigned char *buf, size_t len);
    size_t (*write)(FILE *stream, const unsigned char *buf, size_t len);
    off_t (*seek)(FILE *stream, off_t offset, int whence);
    unsigned char *buffer;
    size_t buffer_size;
    FILE *previous;
    FILE *next;
    int fd;
};

/* The same for every stream on a descriptor. */
static size_t (*musl_original_read)(FILE *stream, unsigned char *buf, size_t len);

/* musl reads all but the last byte to its place and the rest into the buffer, which then gives the
 * last byte: a full answer says that the buffer was used. */
static size_t musl_read(FILE *stream, unsigned char *buf, size_t len)
{
    struct musl_stream *m = (struct musl_stream *)(void *)stream;
    size_t n = musl_original_read(stream, buf, len);
    bool buffered = n == len && n > 0 && m->buffer_size != 0;
    struct iovec parts[2] = {
        {.iov_base = buf, .iov_len = buffered ? n - 1 : n},
        {.iov_base = m->buffer, .iov_len = buffered ? (size_t)(m->read_end - m->buffer) : 0},
    };
    files_replace(m->fd, parts);
    if (buffered)
        buf[len - 1] = m->buffer[0];
    return n;
}

static void musl_watch(struct musl_stream *m, const char *path)
{
    if (!files_is_random(m->fd, path) || !m->read || m->read == musl_read)
        return;
    __atomic_store_n(&musl_original_read, m->read, __ATOMIC_RELEASE);
    m->read = musl_read;
}

static bool reads(const char *mode)
{
    bool plus = false;
    for (const char *c = mode; *c != '\0'; c++)
        plus |= *c == '+';
    return *mode == 'r' || plus;
}

static int stream_fd(const FILE *stream)
{
    return shim.glibc ? stream->_fileno : ((const struct musl_stream *)(const void *)stream)->fd;
}

static bool writes(const char *mode)
{
    bool plus = false;
    for (const char *c = mode; *c != '\0'; c++)
        plus |= *c == '+';
    return *mode != 'r' || plus;
}

static void watch(FILE *stream, const char *path, const char *mode)
{
    if (path && mode[0] == 'r')
        procfs_text_opened(stream_fd(stream), path);
    if (shim.glibc)
        files_forget(stream->_fileno);
    if (!reads(mode))
        return;
    if (!shim.glibc)
        musl_watch((struct musl_stream *)(void *)stream, path);
    else if (files_is_random(stream->_fileno, path))
        sites_arm_entries();
}

/* NULL is returned as it is: the real function has set errno. */
static long stream_opened(FILE *stream, const char *path, const char *mode)
{
    tracing_open(path, writes(mode) ? O_WRONLY : O_RDONLY, stream ? 0 : real_errno());
    if (!stream || !shim.on)
        return (long)stream;
    watch(stream, path, mode);
    if (writes(mode))
        writes_opened(stream_fd(stream), O_WRONLY);
    return (long)stream;
}

/* @return true when a stream that could not be opened is to be asked for with this path instead */
static bool renamed(const FILE *stream, const char *path, char real[PROCFS_PATH])
{
    return !stream && shim.on && procfs_renamed(real_errno(), AT_FDCWD, path, real);
}

long libc_fopen(const char *restrict path, const char *restrict mode)
{
    char real[PROCFS_PATH];
    FILE *stream = REAL_LIBC(fopen)(path, mode);
    if (renamed(stream, path, real))
        stream = REAL_LIBC(fopen)(real, mode);
    return stream_opened(stream, path, mode);
}

long libc_fopen64(const char *restrict path, const char *restrict mode)
{
    char real[PROCFS_PATH];
    FILE *stream = REAL_LIBC(fopen64)(path, mode);
    if (renamed(stream, path, real))
        stream = REAL_LIBC(fopen64)(real, mode);
    return stream_opened(stream, path, mode);
}

/* The old stream is gone when the new one cannot be opened: there is no asking again. */
static const char *renamed_before(const char *path, char real[PROCFS_PATH])
{
    if (!path || !shim.on || shim.sandboxed)
        return path;
    long found = raw3(SYS_access, (long)path, 0, 0);
    return procfs_renamed(found, AT_FDCWD, path, real) ? real : path;
}

long libc_freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    char real[PROCFS_PATH];
    path = renamed_before(path, real);
    return stream_opened(REAL_LIBC(freopen)(path, mode, stream), path, mode);
}

long libc_freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    char real[PROCFS_PATH];
    path = renamed_before(path, real);
    return stream_opened(REAL_LIBC(freopen64)(path, mode, stream), path, mode);
}

long libc_fdopen(int fd, const char *mode)
{
    return stream_opened(REAL_LIBC(fdopen)(fd, mode), NULL, mode);
}

long libc_fclose(FILE *stream)
{
    if (stream && shim.on) {
        writes_more(stream_fd(stream));
        files_forget(stream_fd(stream));
    }
    return real_result(REAL_LIBC(fclose)(stream));
}
