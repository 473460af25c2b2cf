/* SPDX-License-Identifier: MIT */
/*
 * Randomness: getrandom(2), and with --trap-open the random devices of images without shim.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "cleanup.h"
#include "descriptors.h"
#include "guest.h"
#include "lineage.h"
#include "owned.h"
#include "stream.h"
#include "supervisor.h"

#define CHUNK        65536
#define KNOWN_FLAGS  (GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)
/* What one open of a random device may read before it would reach the next one's bytes. */
#define DEVICE_RANGE (UINT64_C(1) << 40)

static uint8_t chunk[CHUNK];

/* As the kernel: what lies before a bad address counts; nothing at all is EFAULT. */
static long fill(struct question *q, uint64_t address, size_t len)
{
    size_t done = 0;
    while (done < len) {
        size_t n = len - done < CHUNK ? len - done : CHUNK;
        stream_fill(q->m, q->task, DETRUN_STREAM_RANDOM, NULL, chunk, n);
        trace_bytes(q, chunk, n);
        long written = guest_write_some(q, address + done, chunk, n);
        if (written < 0)
            return done ? (long)done : supervisor_unreachable(q, (int)written);
        done += (size_t)written;
        if ((size_t)written < n)
            break;
    }
    return (long)done;
}

long answer_getrandom(struct question *q)
{
    size_t len = q->args[1] < INT_MAX ? q->args[1] : INT_MAX;
    unsigned flags = (unsigned)q->args[2];
    if (supervisor_is_real(q, DETRUN_RANDOM))
        return ANSWER_CONTINUE;
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0 ||
        (flags & (GRND_INSECURE | GRND_RANDOM)) == (GRND_INSECURE | GRND_RANDOM))
        return -EINVAL;
    return fill(q, q->args[0], len);
}

/* Rings pass every door. */
long answer_io_uring_setup(struct question *q)
{
    if (supervisor_is_real(q, DETRUN_URING))
        return ANSWER_CONTINUE;
    supervisor_gap(q, DETRUN_GAP_URING_REFUSED);
    return -ENOSYS;
}

/* Writes the stream into a pipe until nobody reads it any more. */
static _Noreturn void feed(const struct question *q, uint64_t position, int out)
{
    signal(SIGPIPE, SIG_IGN);
    descriptors_close_except(&out, 1);
    for (;; position += CHUNK) {
        stream_at(q->m, q->process, DETRUN_STREAM_DEVICE, position, chunk, CHUNK);
        for (size_t done = 0; done < CHUNK;) {
            ssize_t n = write(out, chunk + done, CHUNK - done);
            if (n <= 0)
                _exit(0);
            done += (size_t)n;
        }
    }
}

static int start_feeder(const struct question *q)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    AUTO_CLOSE int out = ends[1];
    uint64_t position = owned_fetch_add(&q->process->position[DETRUN_STREAM_DEVICE], DEVICE_RANGE);
    pid_t pid = fork();
    if (pid == 0)
        feed(q, position, out);
    if (pid > 0)
        return ends[0];
    close(ends[0]);
    return -EAGAIN;
}

static void read_path(const struct question *q, uint64_t address, char *path, size_t room)
{
    size_t length = 0;
    memset(path, 0, room);
    while (length < room - 1 && strlen(path) == length) {
        long n = guest_read_some((int32_t)q->request->pid, address + length, path + length,
                                 room - 1 - length);
        if (n <= 0)
            return;
        length += (size_t)n;
    }
}

enum path_kind { PATH_OTHER, PATH_DEVICE, PATH_PERHAPS };

/* By another path than the usual one, who knows. */
static enum path_kind kind_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strcmp(name, "urandom") != 0 && strcmp(name, "random") != 0)
        return PATH_OTHER;
    return strncmp(path, "/dev/", 5) == 0 && path + 4 == slash ? PATH_DEVICE : PATH_PERHAPS;
}

static long answer_opening(struct question *q, uint64_t address, int flags)
{
    char path[256];
    int access = flags & O_ACCMODE;
    if (supervisor_is_real(q, DETRUN_RANDOM) || supervisor_has_shim(q) || access == O_WRONLY ||
        !(q->m->params.flags & DETRUN_FLAG_TRAP_OPEN))
        return ANSWER_CONTINUE;
    read_path(q, address, path, sizeof(path));
    enum path_kind kind = kind_of(path);
    if (kind == PATH_OTHER)
        return ANSWER_CONTINUE;
    AUTO_CLOSE int in = kind == PATH_DEVICE && access == O_RDONLY ? start_feeder(q) : -EINVAL;
    if (in < 0) {
        supervisor_gap(q, DETRUN_GAP_STATIC_DEVICE);
        return ANSWER_CONTINUE;
    }
    return supervisor_send_descriptor(q, in, (uint64_t)(flags & O_CLOEXEC));
}

long answer_open(struct question *q)
{
    return answer_opening(q, q->args[0], (int)q->args[1]);
}

long answer_openat(struct question *q)
{
    return answer_opening(q, q->args[1], (int)q->args[2]);
}
