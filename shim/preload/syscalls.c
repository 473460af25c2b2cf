/* SPDX-License-Identifier: MIT */
/*
 * syscall(2) as libc exports it: the handler of the number, where there is one.
 */
#include <fcntl.h>
#include <stdarg.h>

#include "call_files.h"
#include "calls.h"
#include "errno_edge.h"
#include "owned.h"
#include "process.h"
#include "raw.h"
#include "task.h"
#include "poison.h"

#define EXPORT __attribute__((visibility("default")))

/* All arguments travel in registers of the same width; a handler looks at those it has. */
typedef long handler(long, long, long, long, long, long);

static long enter_open(const char *path, int flags, unsigned mode)
{
    return files_open(AT_FDCWD, path, flags, mode);
}

struct row {
    handler *enter;
    uint8_t source; /**< DETRUN_SOURCES: not counted here */
};

#define ROW(function, source) {(handler *)(void (*)(void))(function), source}
#define COUNTED(doors, source) ((doors) & SELF_COUNTED ? DETRUN_SOURCES : DETRUN_##source)

static const struct row rows[] = {
#define CALL(name, ret, n, args, doors, source, ...)                                               \
    [SYS_##name] = ROW(call_##name, COUNTED(doors, source)),
#define CALL_KERNEL(name, ret, n, args, doors, source, ...)                                        \
    [SYS_##name] = ROW(call_##name, COUNTED(doors, source)),
#include "detrun/calls.def"
    [SYS_open] = ROW(enter_open, DETRUN_SOURCES),
    [SYS_openat] = ROW(files_open, DETRUN_SOURCES),
    [SYS_read] = ROW(libc_read, DETRUN_SOURCES),
    [SYS_pread64] = ROW(libc_pread64, DETRUN_SOURCES),
    [SYS_readv] = ROW(libc_readv, DETRUN_SOURCES),
    [SYS_fork] = ROW(process_raw_fork, DETRUN_PID),
    [SYS_clone] = ROW(process_raw_clone, DETRUN_PID),
    [SYS_clone3] = ROW(process_raw_clone3, DETRUN_PID),
    [SYS_execve] = ROW(libc_execve, DETRUN_SOURCES),
    [SYS_execveat] = ROW(libc_execveat, DETRUN_SOURCES),
    [SYS_seccomp] = ROW(process_raw_seccomp, DETRUN_SOURCES),
};

static const struct row *row_of(long number)
{
    return number >= 0 && number < (long)(sizeof(rows) / sizeof(rows[0])) && rows[number].enter
               ? &rows[number]
               : NULL;
}

EXPORT long syscall(long number, ...);
long syscall(long number, ...)
{
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    const struct row *row = row_of(number);
    if (!row)
        return errno_edge(raw6(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    long result = row->enter(a[0], a[1], a[2], a[3], a[4], a[5]);
    if (row->source < DETRUN_TASK_SOURCES && task_current)
        owned_count(&task_current->answered[row->source][DETRUN_DOOR_SYMBOL]);
    return errno_edge(result);
}
