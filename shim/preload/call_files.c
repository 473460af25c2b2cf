/* SPDX-License-Identifier: MIT */
/*
 * Every read of every program comes through here, so the common case is one byte looked at: the
 * class of the descriptor (class.h).
 */
#include "call_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "child.h"
#include "class.h"
#include "limited.h"
#include "raw.h"
#include "real.h"
#include "signals.h"
#include "sites.h"
#include "task.h"
#include "tracing.h"
#include "waits.h"

#include "poison.h"

#define NO_OFFSET (-1)
#define PAGE      UINT64_C(4096)
#define PROBES    64           /* pages cleared at once: 1 KiB of stack */
#define MAX_COUNT 0x7ffff000UL /* the kernel's MAX_RW_COUNT */
#define USER_END  UINT64_C(0x7ffffffff000)

/* Who answers a use of this descriptor? NULL: the kernel. */
static inline struct detrun_task *answering(int fd, enum class_of_file *kind)
{
    *kind = CLASS_OTHER;
    if (__builtin_expect(class_known(fd) == CLASS_OTHER, 1))
        return NULL;
    *kind = class_now(fd);
    if (*kind < CLASS_DEVICE)
        return NULL;
    struct detrun_task *t = task_self();
    return t && !task_leaves_real(DETRUN_RANDOM) ? t : NULL;
}

static long counted(struct detrun_task *t, enum detrun_door door, long result)
{
    if (result > 0)
        task_count(t, DETRUN_RANDOM, door);
    return result;
}

/* What one read call gives: bytes of a stream, or a piece of one text. */
struct source {
    struct detrun_task *task;
    enum class_of_file kind;
    size_t at;
    char text[STREAM_UUID_TEXT];
};

static struct source source_open(struct detrun_task *t, enum class_of_file kind, off_t offset)
{
    /* One boot id for the job, whoever asks: the stream of a place in the tree that nobody has. */
    struct detrun_task nobody;
    struct source s = {.task = t, .kind = kind, .at = (size_t)offset};
    if (kind == CLASS_UUID)
        stream_uuid(shim.memory, t, s.text);
    if (kind == CLASS_BOOT_ID) {
        memset(&nobody, 0, sizeof(nobody));
        stream_uuid(shim.memory, &nobody, s.text);
    }
    return s;
}

static void source_take(struct source *s, void *buf, size_t len)
{
    if (s->kind == CLASS_DEVICE) {
        stream_fill(shim.memory, s->task, DETRUN_STREAM_DEVICE, &task_cache, buf, len);
        tracing_bytes(s->task, DETRUN_STREAM_DEVICE, DETRUN_DOOR_SYMBOL, buf, len);
        return;
    }
    size_t left = s->at < sizeof(s->text) ? sizeof(s->text) - s->at : 0;
    if (len > left)
        len = left;
    memcpy(buf, s->text + s->at, len);
    s->at += len;
    tracing_bytes(s->task, DETRUN_STREAM_UUID, DETRUN_DOOR_SYMBOL, buf, len);
}

static long real_readv(int fd, const struct iovec *parts, int n, off_t offset)
{
    return offset == NO_OFFSET ? real_result(REAL_LIBC(readv)(fd, parts, n))
                               : real_result(REAL_LIBC(preadv)(fd, parts, n, offset));
}

/*
 * Have the kernel write one byte to the start of the buffer and to each page after it: bad
 * addresses, bad descriptors and pending cancellations end as they would natively, and what is
 * cleared can be written without a fault, at a small part of the price of reading all from the
 * device. @return how many bytes are cleared, or -errno
 */
static long probe(int fd, uint8_t *buf, size_t len, off_t offset)
{
    struct iovec bytes[PROBES];
    uintptr_t start = (uintptr_t)buf;
    uintptr_t end = start + len;
    uintptr_t at = start;
    int n = 0;
    do {
        bytes[n++] = (struct iovec){.iov_base = (void *)at, .iov_len = at < end};
        at = (at | (PAGE - 1)) + 1;
    } while (n < PROBES && at < end);
    long good = real_readv(fd, bytes, n, offset);
    if (good < 0)
        return good;
    if (good < n)
        at = (uintptr_t)bytes[good].iov_base;
    return (long)((at < end ? at : end) - start);
}

static long read_device(struct detrun_task *t, int fd, uint8_t *buf, size_t len, off_t offset)
{
    struct source s = {.task = t, .kind = CLASS_DEVICE};
    size_t done = 0;
    if (len > MAX_COUNT) {
        if (len > USER_END || (uintptr_t)buf > USER_END - len)
            return -EFAULT;
        len = MAX_COUNT;
    }
    do {
        long cleared = probe(fd, buf + done, len - done, offset);
        if (cleared <= 0)
            return done > 0 ? (long)done : cleared;
        source_take(&s, buf + done, (size_t)cleared);
        done += (size_t)cleared;
    } while (done < len);
    return (long)done;
}

/* In a sandbox the place of a text is taken to be its start. */
static off_t place_of(int fd, long just_read)
{
    return shim.sandboxed ? 0 : raw3(SYS_lseek, fd, 0, SEEK_CUR) - just_read;
}

/* The kernel makes a new UUID at each read and gives the part that begins at the file's place. */
static long read_replaced(struct detrun_task *t, enum class_of_file kind, int fd, void *buf,
                          size_t len, off_t offset)
{
    bool moves = offset == NO_OFFSET;
    long n = moves ? raw3(SYS_read, fd, (long)buf, (long)len)
                   : raw4(SYS_pread64, fd, (long)buf, (long)len, offset);
    if (n <= 0)
        return n;
    struct source s = source_open(t, kind, moves ? place_of(fd, n) : offset);
    source_take(&s, buf, (size_t)n);
    return n;
}

static long read_random(struct detrun_task *t, enum class_of_file kind, int fd, void *buf,
                        size_t len, off_t offset)
{
    return kind == CLASS_DEVICE && !shim.sandboxed ? read_device(t, fd, buf, len, offset)
                                                   : read_replaced(t, kind, fd, buf, len, offset);
}

/* The kernel judges the vector and fills it; then its bytes are replaced. */
static long readv_random(struct detrun_task *t, enum class_of_file kind, int fd,
                         const struct iovec *parts, int n, off_t offset)
{
    long got = real_readv(fd, parts, n, offset);
    if (got <= 0)
        return got;
    size_t left = (size_t)got;
    struct source s = source_open(t, kind, offset == NO_OFFSET ? place_of(fd, got) : offset);
    for (int i = 0; i < n && left > 0; i++) {
        size_t len = parts[i].iov_len < left ? parts[i].iov_len : left;
        source_take(&s, parts[i].iov_base, len);
        left -= len;
    }
    return got;
}

/* A shell that reads the end of $(command) knows that the command has ended: call_child.c. */
static long note_end(long result, size_t len)
{
    if (result == 0 && len != 0 && task_current)
        child_end_was_read(task_current);
    return result;
}

static long limited_read(const struct limited *l, int fd, void *buf, size_t len)
{
    long n;
    do
        n = real_result(REAL_LIBC(read)(fd, buf, len));
    while (limited_again(l, n));
    return limited_end(l, n);
}

/* While it may wait for input the thread holds no other's time-out back. */
static long blocking_read(int fd, void *buf, size_t len)
{
    struct limited l = limited_begin(fd, false, 0);
    if (__builtin_expect(l.task != NULL, 0))
        return limited_read(&l, fd, buf, len);
    struct detrun_task *t = task_current;
    if (t)
        waits_pause(t, DETRUN_ON_FILES);
    long n = real_result(REAL_LIBC(read)(fd, buf, len));
    if (t)
        waits_resume(t);
    return n;
}

/* A random device that is left to the kernel. */
static void trace_real(enum class_of_file kind, const void *buf, long got)
{
    if (__builtin_expect(kind >= CLASS_DEVICE, 0) && got > 0 && task_current)
        tracing_bytes(task_current, DETRUN_STREAM_DEVICE, TRACING_REAL, buf, (size_t)got);
}

long libc_read(int fd, void *buf, size_t len)
{
    enum class_of_file kind;
    struct detrun_task *t = answering(fd, &kind);
    if (__builtin_expect(t == NULL, 1)) {
        long got = blocking_read(fd, buf, len);
        if (!sites_original_read)
            trace_real(kind, buf, got);
        if (__builtin_expect(kind == CLASS_SIGNALS, 0))
            signals_translate_records(buf, got);
        return note_end(got, len);
    }
    return counted(t, DETRUN_DOOR_SYMBOL, read_random(t, kind, fd, buf, len, NO_OFFSET));
}

long libc___read_chk(int fd, void *buf, size_t len, size_t room)
{
    ssize_t (*real)(int, void *, size_t, size_t) =
        (ssize_t(*)(int, void *, size_t, size_t))(uintptr_t)real_find(REAL_LIBC___read_chk);
    return len > room && real ? real_result(real(fd, buf, len, room)) : libc_read(fd, buf, len);
}

long libc_pread(int fd, void *buf, size_t len, off_t offset)
{
    enum class_of_file kind;
    struct detrun_task *t = answering(fd, &kind);
    if (t == NULL || offset < 0)
        return real_result(REAL_LIBC(pread)(fd, buf, len, offset));
    return counted(t, DETRUN_DOOR_SYMBOL, read_random(t, kind, fd, buf, len, offset));
}

long libc_pread64(int fd, void *buf, size_t len, off_t offset)
{
    return libc_pread(fd, buf, len, offset);
}

static long limited_readv(int fd, const struct iovec *parts, int n)
{
    struct limited l = limited_begin(fd, false, 0);
    long got;
    do
        got = real_result(REAL_LIBC(readv)(fd, parts, n));
    while (limited_again(&l, got));
    return limited_end(&l, got);
}

long libc_readv(int fd, const struct iovec *parts, int n)
{
    enum class_of_file kind;
    struct detrun_task *t = answering(fd, &kind);
    if (t == NULL) {
        long got = limited_readv(fd, parts, n);
        if (kind == CLASS_SIGNALS)
            signals_translate_parts(parts, n, got);
        return got;
    }
    return counted(t, DETRUN_DOOR_SYMBOL, readv_random(t, kind, fd, parts, n, NO_OFFSET));
}

long libc_preadv(int fd, const struct iovec *parts, int n, off_t offset)
{
    enum class_of_file kind;
    struct detrun_task *t = answering(fd, &kind);
    if (t == NULL || offset < 0)
        return real_result(REAL_LIBC(preadv)(fd, parts, n, offset));
    return counted(t, DETRUN_DOOR_SYMBOL, readv_random(t, kind, fd, parts, n, offset));
}

long libc_preadv64(int fd, const struct iovec *parts, int n, off_t offset)
{
    return libc_preadv(fd, parts, n, offset);
}

long files_entry_read(int fd, void *buf, size_t len)
{
    enum class_of_file kind;
    struct detrun_task *t = answering(fd, &kind);
    long n = t ? read_random(t, kind, fd, buf, len, NO_OFFSET) : -1;
    if (n >= 0)
        return counted(t, DETRUN_DOOR_SITE, n);
    /* An error is the kernel's to tell, and the original's to put into errno. */
    n = sites_original_read(fd, buf, len);
    trace_real(kind, buf, n);
    return n;
}

/*
 * Bytes on their way to another descriptor. Into a pipe goes one piece: the kernel as well gives
 * less than was asked for there, and waiting for more room would hang who reads it afterwards.
 */
static long transfer(struct source *s, int in, int out, off_t *offset, size_t len, bool to_pipe)
{
    uint8_t piece[PAGE];
    size_t done = 0;
    do {
        size_t want = len - done < sizeof(piece) ? len - done : sizeof(piece);
        if (s->kind == CLASS_DEVICE)
            source_take(s, piece, want);
        else
            want = (size_t)read_replaced(s->task, s->kind, in, piece, want,
                                         offset ? *offset : NO_OFFSET);
        long n = (ssize_t)want > 0 ? raw3(SYS_write, out, (long)piece, (long)want) : (long)want;
        if (n <= 0)
            return done > 0 ? (long)done : n;
        done += (size_t)n;
        /* The device has no place: the kernel leaves its offset as it was. */
        if (offset && s->kind != CLASS_DEVICE)
            *offset += n;
        if ((size_t)n < want)
            break;
    } while (done < len && !to_pipe);
    return (long)done;
}

static bool is_pipe(int fd)
{
    struct stat st;
    return raw3(SYS_fstat, fd, (long)&st, 0) == 0 && S_ISFIFO(st.st_mode);
}

long libc_sendfile(int out, int in, off_t *offset, size_t len)
{
    enum class_of_file kind;
    struct detrun_task *t = answering(in, &kind);
    if (t == NULL)
        return real_result(REAL_LIBC(sendfile)(out, in, offset, len));
    /* A transfer of nothing has the kernel judge descriptors, access modes and the offset. */
    long bad = raw4(SYS_sendfile, out, in, (long)offset, 0);
    if (bad < 0 || len == 0)
        return bad;
    struct source s = {.task = t, .kind = kind};
    if (len > MAX_COUNT)
        len = MAX_COUNT;
    return counted(t, DETRUN_DOOR_SYMBOL, transfer(&s, in, out, offset, len, is_pipe(out)));
}

long libc_sendfile64(int out, int in, off_t *offset, size_t len)
{
    return libc_sendfile(out, in, offset, len);
}

static bool would_block(int out)
{
    struct pollfd ready = {.fd = out, .events = POLLOUT};
    return raw3(SYS_poll, (long)&ready, 1, 0) == 0;
}

long libc_splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t len,
                 unsigned flags)
{
    const unsigned known = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT;
    enum class_of_file kind;
    struct detrun_task *t = answering(in, &kind);
    /* What is not a transfer into a pipe fails, and the kernel knows how. */
    if (t == NULL || len == 0 || (flags & ~known) != 0 || out_offset || !is_pipe(out))
        return real_result(REAL_LIBC(splice)(in, in_offset, out, out_offset, len, flags));
    /* Asked first: even a transfer of nothing waits for room in a pipe. */
    if ((flags & SPLICE_F_NONBLOCK) != 0 && would_block(out))
        return -EAGAIN;
    long bad = raw4(SYS_sendfile, out, in, (long)in_offset, 0);
    if (bad < 0)
        return bad;
    struct source s = {.task = t, .kind = kind};
    return counted(t, DETRUN_DOOR_SYMBOL, transfer(&s, in, out, in_offset, len, true));
}

bool files_is_random(int fd, const char *path)
{
    class_opened(fd, path ? path : "");
    return class_now(fd) >= CLASS_DEVICE;
}

void files_forget(int fd)
{
    class_fresh(fd);
}

void files_replace(int fd, const struct iovec parts[2])
{
    enum class_of_file kind;
    struct detrun_task *t = answering(fd, &kind);
    long total = (long)(parts[0].iov_len + parts[1].iov_len);
    if (!t || total == 0)
        return;
    struct source s = source_open(t, kind, place_of(fd, total));
    for (int i = 0; i < 2; i++)
        source_take(&s, parts[i].iov_base, parts[i].iov_len);
    counted(t, DETRUN_DOOR_SITE, total);
}

void files_at_start(void)
{
    if (shim.glibc && class_now(STDIN_FILENO) >= CLASS_DEVICE)
        sites_arm_entries();
}
