/* SPDX-License-Identifier: MIT */
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cleanup.h"
#include "detrun/trace.h"
#include "room.h"
#include "trace.h"
#include "values.h"

/* Behind all chunks that the root can have. */
#define LAST_CHUNK  UINT32_C(0x40000000)
/* There are several of them, perhaps on a file system that the program needs. */
#define GIVEN_LIMIT (UINT64_C(64) << 20)

static const char names[] =
#define X(id, name) name "\0"
    DETRUN_SOURCE_NAMES
#undef X
    "symbol\0vdso\0site\0notify\0kernel\0"
#define CALL(name, ...)        #name "\0"
#define CALL_LIBC(name, ...)   #name "\0"
#define CALL_VOID(name, ...)   #name "\0"
#define CALL_HAND(name, ...)   #name "\0"
#define CALL_KERNEL(name, ...) #name "\0"
#define CALL_NOTIFY(name, ...) #name "\0"
#include "detrun/calls.def"
    ;

_Static_assert(sizeof(struct trace_header) + sizeof(names) <= TRACE_HEADER, "names fit");

/* What is there is somebody's, unless it is a trace. */
static int look_at_old(const char *path, char *error, size_t room)
{
    char magic[sizeof(TRACE_MAGIC)] = "";
    struct stat st;
    if (lstat(path, &st) != 0)
        return 0;
    AUTO_CLOSE int fd = S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd >= 0 ? read(fd, magic, sizeof(magic)) : -1;
    if (n == 0 || (n == sizeof(magic) && memcmp(magic, TRACE_MAGIC, sizeof(magic)) == 0))
        return 0;
    snprintf(error, room,
             "--trace: \"%s\" is there already, and no trace; give another name, or "
             "remove it",
             path);
    return -EEXIST;
}

static int failed(const char *path, int result, char *error, size_t room)
{
    snprintf(error, room, "--trace: cannot write \"%s\": %s%s", path, strerror(-result),
             room_advice(result));
    unlink(path);
    return result;
}

/* Always a new file: another job may be writing to the old one. */
static int create(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return -errno;
    AUTO_CLOSE int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return moved < 0 ? -errno : moved;
}

static int write_header(int fd, const struct detrun_params *p)
{
    struct trace_header header = {
        .magic = TRACE_MAGIC,
        .version = TRACE_VERSION,
        .stream_version = DETRUN_STREAM_VERSION,
        .job_seed = p->job_seed,
        .test_seed = p->test_seed,
        .sources = DETRUN_SOURCES,
        .doors = DETRUN_DOORS + 1,
        .calls = TRACE_CALLS,
        .names_length = sizeof(names) - 1,
        .real = p->real,
    };
    if (pwrite(fd, &header, sizeof(header), 0) != sizeof(header) ||
        pwrite(fd, names, sizeof(names), sizeof(header)) != sizeof(names))
        return errno ? -errno : -EIO;
    return 0;
}

/* Zeros, not a reservation (fallocate(2)): a task then finds its pages in memory. */
static int extend(int fd, uint64_t from)
{
    static const char zeros[4096];
    struct iovec parts[TRACE_GROWTH / sizeof(zeros)];
    uint64_t done = 0;
    for (size_t i = 0; i < TRACE_GROWTH / sizeof(zeros); i++)
        parts[i] = (struct iovec){(void *)(uintptr_t)zeros, sizeof(zeros)};
    while (done < TRACE_GROWTH) {
        size_t first = done / sizeof(zeros);
        ssize_t n = pwritev(fd, parts + first, (int)(TRACE_GROWTH / sizeof(zeros) - first),
                            (off_t)(from + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : -ENOSPC;
        done = (done + (uint64_t)n) / sizeof(zeros) * sizeof(zeros);
        if ((uint64_t)n < sizeof(zeros))
            return -ENOSPC;
    }
    return 0;
}

int trace_file_grow(struct detrun_memory *m, int fd)
{
    uint64_t end = atomic_load(&m->shared.trace_allocated);
    if (trace_has_ended(m))
        return -ENOSPC;
    if (trace_room(m) >= TRACE_CHUNK)
        return 0;
    int result = end + TRACE_GROWTH > m->params.trace_limit ? -EFBIG : extend(fd, end);
    if (result == 0)
        trace_grown(m, TRACE_GROWTH);
    else
        trace_fail(m, -result);
    return result;
}

uint8_t *trace_file_map(int fd)
{
    void *base = mmap(NULL, TRACE_LIMIT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return base == MAP_FAILED ? NULL : base;
}

static int prepare(int fd, struct detrun_memory *m)
{
    int error = write_header(fd, &m->params);
    atomic_store(&m->shared.trace_claimed, TRACE_HEADER);
    atomic_store(&m->shared.trace_allocated, TRACE_HEADER);
    if (!error)
        error = trace_file_grow(m, fd);
    uint8_t *base = error ? NULL : trace_file_map(fd);
    if (!error && !base)
        error = -errno;
    if (base)
        munmap(base, TRACE_LIMIT);
    return error;
}

#define FD_SPEC "fd:"

bool trace_file_is_given(const struct options *o)
{
    return o->trace && strncmp(o->trace, FD_SPEC, strlen(FD_SPEC)) == 0;
}

static void use(struct job *job, int fd)
{
    job->memory->params.trace_fd = fd;
    job->memory->params.flags |= DETRUN_FLAG_TRACE;
}

/* Of a run among many, which goes on without a trace where there is no room for one. */
static void open_given(struct job *job)
{
    uint64_t fd;
    if (!value_u64(job->options->trace + strlen(FD_SPEC), &fd) || fd > INT_MAX)
        return;
    job->memory->params.trace_limit = GIVEN_LIMIT;
    if (fcntl((int)fd, F_SETFD, FD_CLOEXEC) == 0 && ftruncate((int)fd, 0) == 0 &&
        prepare((int)fd, job->memory) == 0)
        use(job, (int)fd);
}

int trace_file_open(struct job *job, char *error, size_t room)
{
    const char *path = job->options->trace;
    if (!path)
        return 0;
    if (trace_file_is_given(job->options)) {
        open_given(job);
        return 0;
    }
    job->memory->params.trace_limit = TRACE_LIMIT;
    int result = look_at_old(path, error, room);
    if (result)
        return result;
    int fd = create(path);
    result = fd < 0 ? fd : prepare(fd, job->memory);
    if (result)
        return failed(path, result, error, room);
    use(job, fd);
    return 0;
}

static int grow(const struct trace_file *file)
{
    return trace_file_grow(file->memory, file->fd);
}

/* The root's record may be gone by now: this is its last chunk. */
static void put_exit(const struct job *job, uint8_t *base, const struct run_result *result)
{
    struct trace_file file = {
        .memory = job->memory, .base = base, .grow = grow, .fd = job->memory->params.trace_fd};
    struct detrun_task root = job->trace_root;
    int status = result->signal ? result->signal : result->status << 8;
    root.trace_task = root.lineage;
    root.trace_chunks = LAST_CHUNK;
    trace_put(&file, &root,
              (struct trace_event){.kind = TRACE_EXIT,
                                   .source = DETRUN_ENV,
                                   .door = TRACE_KERNEL_DOOR,
                                   .value = (uint64_t)status});
}

int trace_file_end(const struct job *job, const struct run_result *result, char *error, size_t room)
{
    struct detrun_shared *s = &job->memory->shared;
    int fd = job->memory->params.trace_fd;
    uint8_t *base = fd > 0 ? trace_file_map(fd) : NULL;
    if (!base)
        return 0;
    if (job->trace_root.lineage != 0)
        put_exit(job, base, result);
    struct trace_header *header = (struct trace_header *)(void *)base;
    uint64_t length = trace_close(job->memory);
    uint64_t dropped = atomic_load(&s->trace_dropped);
    int failure = (int)atomic_load(&s->trace_error);
    atomic_store(&header->dropped, dropped);
    atomic_store(&header->error, (uint32_t)failure);
    atomic_store(&header->ended, 1);
    munmap(base, TRACE_LIMIT);
    int cut = ftruncate(fd, (off_t)length);
    if ((failure == 0 && dropped == 0 && cut == 0) || trace_file_is_given(job->options))
        return 0;
    snprintf(error, room, "--trace: \"%s\" is not whole, %" PRIu64 " events are missing%s%s",
             job->options->trace, dropped, failure ? ": " : "", failure ? strerror(failure) : "");
    return -EIO;
}
