/* SPDX-License-Identifier: MIT */
/*
 * syscall(2) as libc exports it: the handler of the number, where there is one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "call_files.h"
#include "calls.h"
#include "detrun/calls_numbers.h"
#include "errno_edge.h"
#include "owned.h"
#include "poison.h"
#include "process.h"
#include "raw.h"
#include "reach.h"
#include "sandbox.h"
#include "task.h"
#include "tracing.h"

#define EXPORT __attribute__((visibility("default")))

#define NOT_COUNTED            DETRUN_SOURCES
#define COUNTED(doors, source) ((doors)&SELF_COUNTED ? NOT_COUNTED : DETRUN_##source)

/* The registers' contents as a handler's arguments. */
#define AS(type, i) (__typeof__(type))a[i]
#define ARGUMENTS_0(...)
#define ARGUMENTS_1(t0, n0)                          AS(t0, 0)
#define ARGUMENTS_2(t0, n0, t1, n1)                  AS(t0, 0), AS(t1, 1)
#define ARGUMENTS_3(t0, n0, t1, n1, ...)             AS(t0, 0), AS(t1, 1), ARGUMENTS_3_(__VA_ARGS__)
#define ARGUMENTS_3_(t2, n2)                         AS(t2, 2)
#define ARGUMENTS_4(t0, n0, t1, n1, ...)             AS(t0, 0), AS(t1, 1), ARGUMENTS_4_(__VA_ARGS__)
#define ARGUMENTS_4_(t2, n2, t3, n3)                 AS(t2, 2), AS(t3, 3)
#define ARGUMENTS_5(t0, n0, t1, n1, ...)             AS(t0, 0), AS(t1, 1), ARGUMENTS_5_(__VA_ARGS__)
#define ARGUMENTS_5_(t2, n2, t3, n3, t4, n4)         AS(t2, 2), AS(t3, 3), AS(t4, 4)
#define ARGUMENTS_6(t0, n0, t1, n1, ...)             AS(t0, 0), AS(t1, 1), ARGUMENTS_6_(__VA_ARGS__)
#define ARGUMENTS_6_(t2, n2, t3, n3, t4, n4, t5, n5) AS(t2, 2), AS(t3, 3), AS(t4, 4), AS(t5, 5)

/* A switch, not a table of pointers: those would have to be relocated at every start. */
#define ENTER(name, n, args, doors, source)                                                        \
    case SYS_##name:                                                                               \
        *counted = COUNTED(doors, source);                                                         \
        return traced(TRACING_BY_DOOR(doors, source), TRACE_CALL_##name, DETRUN_##source,          \
                      call_##name(MAP_OPEN(ARGUMENTS_##n) args));
#define CALL(name, ret, n, args, doors, source, ...)        ENTER(name, n, args, doors, source)
#define CALL_KERNEL(name, ret, n, args, doors, source, ...) ENTER(name, n, args, doors, source)

/* Where libc's function would crash on a bad pointer (the vDSO writes it), the call says EFAULT. */
static const struct output {
    short number;
    unsigned char argument;
    unsigned char size;
} outputs[] = {
    {SYS_clock_gettime, 1, sizeof(struct timespec)},
    {SYS_clock_getres, 1, sizeof(struct timespec)},
    {SYS_gettimeofday, 0, sizeof(struct timeval)},
    {SYS_gettimeofday, 1, sizeof(struct timezone)},
    {SYS_time, 0, sizeof(time_t)},
};

/* A call that fails for another reason writes nothing: the probe's trace is wiped out. */
static bool is_reachable(uint8_t *out, size_t size)
{
    if (!reach_readable(out, size))
        return false;
    uint8_t before = *out;
    size_t room = reach_writable(out, size);
    if (room > 0)
        *out = before;
    return room == size;
}

static bool outputs_are_reachable(long number, const long a[6])
{
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        uint8_t *out = (uint8_t *)a[outputs[i].argument];
        if (outputs[i].number == number && out && !is_reachable(out, outputs[i].size))
            return false;
    }
    return true;
}

static inline long traced(bool by_door, enum trace_call call, enum detrun_source source,
                          long result)
{
    if (by_door)
        tracing_call(call, source, DETRUN_DOOR_SYMBOL, result);
    return result;
}

static long enter(long number, const long a[6], enum detrun_source *counted)
{
    switch (number) {
#include "detrun/calls.def"
    case SYS_open:
        return files_open(AT_FDCWD, AS(const char *, 0), AS(int, 1), AS(unsigned, 2));
    case SYS_creat:
        return files_open(AT_FDCWD, AS(const char *, 0), O_CREAT | O_WRONLY | O_TRUNC,
                          AS(unsigned, 1));
    case SYS_read:
        return libc_read(AS(int, 0), AS(void *, 1), AS(size_t, 2));
    case SYS_pread64:
        return libc_pread64(AS(int, 0), AS(void *, 1), AS(size_t, 2), AS(off_t, 3));
    case SYS_preadv:
        return libc_preadv64(AS(int, 0), AS(const struct iovec *, 1), AS(int, 2), AS(off_t, 3));
    case SYS_readv:
        return libc_readv(AS(int, 0), AS(const struct iovec *, 1), AS(int, 2));
    case SYS_fork:
        return process_raw_fork();
    case SYS_clone:
        return process_raw_clone(a[0], a[1], a[2], a[3], a[4]);
    case SYS_clone3:
        return process_raw_clone3(AS(const uint64_t *, 0), AS(size_t, 1));
    case SYS_execve:
        return libc_execve(AS(const char *, 0), AS(char *const *, 1), AS(char *const *, 2));
    case SYS_execveat:
        return libc_execveat(AS(int, 0), AS(const char *, 1), AS(char *const *, 2),
                             AS(char *const *, 3), AS(int, 4));
    case SYS_seccomp:
        return sandbox_seccomp(AS(unsigned, 0), AS(unsigned, 1), AS(void *, 2));
    default:
        return raw6(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
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
    enum detrun_source counted = NOT_COUNTED;
    long result = outputs_are_reachable(number, a) ? enter(number, a, &counted) : -EFAULT;
    if (counted < DETRUN_TASK_SOURCES && task_current)
        owned_count(&task_current->answered[counted][DETRUN_DOOR_SYMBOL]);
    return errno_edge(result);
}
