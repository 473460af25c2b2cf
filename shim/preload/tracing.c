/* SPDX-License-Identifier: MIT */
#include "tracing.h"

#include <dirent.h>
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "attach.h"
#include "init.h"
#include "loaded.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "sites.h"
#include "trace.h"

static int grow(const struct trace_file *file)
{
    (void)file;
    return shim.sandboxed ? -EPERM : (int)raw_private(DETRUN_OP_TRACE_GROW, 0, 0, 0);
}

static const char *program(void)
{
    const char *path = (const char *)loaded_auxv(init_environment(), AT_EXECFN);
    return path ? path : "";
}

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' && path[1])
            name = path + 1;
    return name;
}

static struct trace_file here;

static void put(struct detrun_task *t, struct trace_event event)
{
    trace_put(&here, t, event);
}

static void put_with_text(struct detrun_task *t, struct trace_event event, const char *text)
{
    trace_put(&here, t, event);
    trace_put_text(&here, t, text);
}

static uint8_t *map(void)
{
    long fd = raw_private(DETRUN_OP_TRACE, 0, 0, 0);
    if (fd < 0)
        return NULL;
    long at = raw6(SYS_mmap, ATTACH_FAR_TRACE, TRACE_LIMIT, PROT_READ | PROT_WRITE, MAP_SHARED,
                   (int)fd, 0);
    raw3(SYS_close, fd, 0, 0);
    return at > 0 ? (uint8_t *)at : NULL;
}

void tracing_begin(void)
{
    struct detrun_task *t = task_current;
    if (!(shim.memory->params.flags & DETRUN_FLAG_TRACE) || shim.trace || !t)
        return;
    uint8_t *base = map();
    if (!base) {
        atomic_fetch_add_explicit(&shim.memory->shared.trace_dropped, 1, memory_order_relaxed);
        return;
    }
    here = (struct trace_file){
        .memory = shim.memory, .base = base, .grow = grow, .command = base_name(program())};
    shim.trace = base;
    put_with_text(t, (struct trace_event){.kind = TRACE_IMAGE, .value = t->generation}, program());
    sites_arm_writes();
}

void tracing_put_clock(struct detrun_task *t, enum detrun_source source, unsigned door, int64_t ns)
{
    put(t, (struct trace_event){.kind = TRACE_CLOCK,
                                .source = (unsigned)source & 31,
                                .door = door & 7,
                                .value = (uint64_t)ns});
}

void tracing_put_bytes(struct detrun_task *t, unsigned stream, unsigned door, const void *bytes,
                       size_t length)
{
    put(t, (struct trace_event){.kind = TRACE_BYTES,
                                .source = DETRUN_RANDOM,
                                .door = door & 7,
                                .call = (uint16_t)stream,
                                .extra = (uint32_t)length,
                                .value = trace_digest(bytes, length, 0)});
}

void tracing_put_call(enum trace_call call, enum detrun_source source, unsigned door, long result)
{
    if (task_current)
        put(task_current,
            trace_of_call(call, source, task_leaves_real(source) ? TRACE_KERNEL_DOOR : door,
                          result));
}

void tracing_put_listing(unsigned door, const void *entries, long length)
{
    struct trace_event event = {.kind = TRACE_LISTING, .source = DETRUN_DIRS, .door = door & 7};
    for (long at = 0; at < length; event.extra++) {
        const struct dirent *entry = (const void *)((const char *)entries + at);
        event.value = trace_digest(entry->d_name, strlen(entry->d_name), event.value);
        at += entry->d_reclen;
    }
    if (task_current)
        put(task_current, event);
}

/* The kernel may have refused it for what is wrong with it. */
static const char *readable_text(const char *text)
{
    for (size_t i = 0; i < TRACE_TEXT_LIMIT; i++) {
        bool begins = i == 0 || (uintptr_t)(text + i) % REACH_PAGE == 0;
        if (begins && !reach_readable(text + i, 1))
            return "";
        if (text[i] == '\0')
            break;
    }
    return text;
}

void tracing_put_open(const char *path, int flags, long result)
{
    if (task_current && path)
        put_with_text(task_current,
                      (struct trace_event){.kind = TRACE_OPEN,
                                           .source = DETRUN_ENV,
                                           .door = TRACE_KERNEL_DOOR,
                                           .extra = (uint32_t)flags,
                                           .value = result < 0 ? (uint64_t)result : 0},
                      result < 0 ? readable_text(path) : path);
}

/* What was there before the job may have been written by the run before this one. */
void tracing_put_state(const char *path, unsigned mode, uint64_t size, int64_t written_ns)
{
    bool real = task_leaves_real(DETRUN_MTIMES) || task_leaves_real(DETRUN_WALL);
    if (task_current)
        put_with_text(task_current,
                      (struct trace_event){.kind = TRACE_STATE | (real ? 0 : TRACE_LOOSE),
                                           .source = DETRUN_MTIMES,
                                           .door = real ? TRACE_KERNEL_DOOR : DETRUN_DOOR_SYMBOL,
                                           .extra = S_ISREG(mode) ? (uint32_t)size : 0,
                                           .value = (uint64_t)written_ns},
                      path ? path : "");
}

/* /dev/null takes whatever address it is given. */
static uint64_t digest_parts(const struct iovec *parts, int n, size_t left)
{
    uint64_t digest = 0;
    for (int i = 0; i < n && left > 0; i++) {
        size_t length = parts[i].iov_len < left ? parts[i].iov_len : left;
        if (reach_readable(parts[i].iov_base, length))
            digest = trace_digest(parts[i].iov_base, length, digest);
        left -= length;
    }
    return digest;
}

static void put_write(int fd, const struct iovec *parts, int n, long result)
{
    if (task_current)
        put(task_current,
            (struct trace_event){.kind = TRACE_WRITE,
                                 .source = DETRUN_ENV,
                                 .door = TRACE_KERNEL_DOOR,
                                 .call = (uint16_t)fd,
                                 .extra = result > 0 ? (uint32_t)result : 0,
                                 .value = result > 0 ? digest_parts(parts, n, (size_t)result)
                                                     : (uint64_t)result});
}

long tracing_entry_write(int fd, const void *buf, size_t len)
{
    long result = sites_original_write(fd, buf, len);
    struct iovec part = {(void *)(uintptr_t)buf, len};
    put_write(fd, &part, 1, result < 0 ? real_errno() : result);
    return result;
}

long tracing_entry_writev(int fd, const struct iovec *parts, int n)
{
    long result = sites_original_writev(fd, parts, n);
    put_write(fd, parts, n, result < 0 ? real_errno() : result);
    return result;
}

void tracing_write(int fd, const void *bytes, size_t length, long result)
{
    struct iovec part = {(void *)(uintptr_t)bytes, length};
    if (tracing_is_on() && !sites_original_write)
        put_write(fd, &part, 1, result);
}

void tracing_writev(int fd, const struct iovec *parts, int n, long result)
{
    if (tracing_is_on() && !sites_original_writev)
        put_write(fd, parts, n, result);
}

void tracing_put_exit(struct detrun_task *child, int status)
{
    put(child, (struct trace_event){.kind = TRACE_EXIT,
                                    .source = DETRUN_ENV,
                                    .door = TRACE_KERNEL_DOOR,
                                    .value = (uint64_t)(unsigned)status});
}
