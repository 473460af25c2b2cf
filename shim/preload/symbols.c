/* SPDX-License-Identifier: MIT */
/*
 * The SYMBOL door: one exported libc symbol for each row of the table. libc's headers are included,
 * so a row that disagrees with them does not compile.
 */
#include <fcntl.h>
#include <ifaddrs.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timeb.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "errno_edge.h"
#include "owned.h"
#include "task.h"
#include "tracing.h"

#define EXPORT __attribute__((visibility("default")))

static inline void count(int doors, enum detrun_source source)
{
    if (!(doors & SELF_COUNTED) && source < DETRUN_TASK_SOURCES && task_current)
        owned_count(&task_current->answered[source][DETRUN_DOOR_SYMBOL]);
}

#define FORWARD(name, id, handler, ret, n, args, doors, source)                                    \
    EXPORT ret name(MAP(n, DECLARE, args));                                                        \
    ret name(MAP(n, DECLARE, args))                                                                \
    {                                                                                              \
        long result = handler(MAP(n, PASS_NAME, args));                                            \
        count(doors, DETRUN_##source);                                                             \
        if (TRACING_BY_DOOR(doors, source))                                                        \
            tracing_call(id, DETRUN_##source, DETRUN_DOOR_SYMBOL, result);                         \
        return (ret)errno_edge(result);                                                            \
    }
#define CALL(name, ret, n, args, doors, source, ...)                                               \
    FORWARD(name, TRACE_CALL_##name, call_##name, ret, n, args, doors, source)
#define CALL_LIBC(name, ret, n, args, doors, source, ...)                                          \
    FORWARD(name, TRACE_LIBC_##name, libc_##name, ret, n, args, doors, source)
#define CALL_VOID(name, ret, n, args, doors, source, ...)                                          \
    EXPORT void name(MAP(n, DECLARE, args));                                                       \
    void name(MAP(n, DECLARE, args))                                                               \
    {                                                                                              \
        libc_##name(MAP(n, PASS_NAME, args));                                                      \
        count(doors, DETRUN_##source);                                                             \
    }
#define CALL_ALIAS(second, name)                                                                   \
    __asm__(".globl " #second "\n.type " #second ", @function\n.set " #second ", " #name);
#include "detrun/calls.def"
