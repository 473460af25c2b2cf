/* SPDX-License-Identifier: MIT */
/*
 * Symbols whose form the table cannot give: the open and execl families, clone, fcntl, ioctl,
 * prctl, ptrace and semctl take variable arguments, getpriority, getlogin, mkdtemp, mktemp, sysconf
 * and thrd_sleep have results of their own.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <unistd.h>

#include "call_files.h"
#include "calls.h"
#include "errno_edge.h"
#include "machine.h"
#include "owned.h"
#include "poison.h"
#include "process.h"
#include "raw.h"
#include "real.h"
#include "task.h"
#include "temporary.h"

#define EXPORT __attribute__((visibility("default")))

/* The mode is there only when a file may be made. */
#define OPEN_MODE(last, flags, mode)                                                               \
    do {                                                                                           \
        va_list list;                                                                              \
        va_start(list, last);                                                                      \
        (mode) = ((flags) & (O_CREAT | O_TMPFILE)) ? va_arg(list, unsigned) : 0;                   \
        va_end(list);                                                                              \
    } while (0)

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        unsigned mode;                                                                             \
        OPEN_MODE(flags, flags, mode);                                                             \
        return (int)errno_edge(files_open(AT_FDCWD, path, flags, mode));                           \
    }
#define OPENAT(name)                                                                               \
    EXPORT int name(int dir, const char *path, int flags, ...)                                     \
    {                                                                                              \
        unsigned mode;                                                                             \
        OPEN_MODE(flags, flags, mode);                                                             \
        return (int)errno_edge(files_open(dir, path, flags, mode));                                \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What a caller left out is not looked at. */
#define LAST_ARGUMENT(last, type, argument)                                                        \
    va_list list;                                                                                  \
    va_start(list, last);                                                                          \
    type argument = va_arg(list, type);                                                            \
    va_end(list)

#define FCNTL(name)                                                                                \
    EXPORT int name(int fd, int command, ...)                                                      \
    {                                                                                              \
        LAST_ARGUMENT(command, long, argument);                                                    \
        return (int)errno_edge(call_fcntl(fd, command, argument));                                 \
    }

FCNTL(fcntl)
FCNTL(fcntl64)
EXPORT int __fcntl(int fd, int command, ...);
FCNTL(__fcntl)

EXPORT int semctl(int id, int number, int command, ...)
{
    LAST_ARGUMENT(command, long, argument);
    return (int)errno_edge(call_semctl(id, number, command, argument));
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    LAST_ARGUMENT(request, void *, argument);
    return (int)errno_edge(call_ioctl(fd, request, argument));
}

static size_t count_arguments(va_list list)
{
    size_t n = 1; /* the first one has a name */
    while (va_arg(list, const char *))
        n++;
    return n;
}

/* Declares argv on the stack: first, the variable arguments, NULL; list stands behind the NULL. */
#define COLLECT_ARGUMENTS(argv, first, list)                                                       \
    va_list counting;                                                                              \
    va_start(counting, first);                                                                     \
    size_t count = count_arguments(counting);                                                      \
    va_end(counting);                                                                              \
    char **argv = __builtin_alloca((count + 1) * sizeof(char *));                                  \
    va_list list;                                                                                  \
    va_start(list, first);                                                                         \
    argv[0] = (char *)(uintptr_t)(first);                                                          \
    for (size_t i = 1; i <= count; i++)                                                            \
    argv[i] = va_arg(list, char *)

extern char **environ __attribute__((weak));

EXPORT int execl(const char *path, const char *argument, ...)
{
    COLLECT_ARGUMENTS(argv, argument, list);
    va_end(list);
    return (int)errno_edge(libc_execve(path, argv, environ));
}

EXPORT int execlp(const char *file, const char *argument, ...)
{
    COLLECT_ARGUMENTS(argv, argument, list);
    va_end(list);
    return (int)errno_edge(libc_execvpe(file, argv, environ));
}

EXPORT int execle(const char *path, const char *argument, ...)
{
    COLLECT_ARGUMENTS(argv, argument, list);
    char *const *envp = va_arg(list, char *const *);
    va_end(list);
    return (int)errno_edge(libc_execve(path, argv, envp));
}

EXPORT int clone(int (*fn)(void *), void *stack, int flags, void *argument, ...)
{
    va_list list;
    va_start(list, argument);
    void *parent_tid = va_arg(list, void *);
    void *tls = va_arg(list, void *);
    void *child_tid = va_arg(list, void *);
    va_end(list);
    struct process_clone request = {fn, stack, flags, argument, parent_tid, tls, child_tid};
    return (int)errno_edge(process_clone(&request));
}

EXPORT int prctl(int option, ...)
{
    va_list list;
    unsigned long a[4];
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    return (int)errno_edge(call_prctl(option, a[0], a[1], a[2], a[3]));
}

/* The kernel adds 20, so that no priority looks like an error. */
EXPORT int getpriority(__priority_which_t which, id_t who)
{
    long result = call_getpriority((int)which, (int)who);
    return result < 0 ? (int)errno_edge(result) : 20 - (int)result;
}

/* NULL, or an empty name, are their failures. */
EXPORT char *mkdtemp(char *name)
{
    return errno_edge(temporary_folder(name)) < 0 ? NULL : name;
}

EXPORT char *mktemp(char *name)
{
    if (errno_edge(temporary_name(name)) < 0)
        *name = '\0';
    return name;
}

/* NULL is its failure. */
EXPORT char *getlogin(void)
{
    if (!host_hides_login())
        return REAL_LIBC(getlogin)();
    errno_edge(-ENXIO);
    return NULL;
}

/* -1 need not be an error. */
EXPORT long sysconf(int name)
{
    long own = machine_configured(name);
    own = own ? own : machine_pages(name);
    return own ? own : REAL_LIBC(sysconf)(name);
}

/* Peeked words are libc's result; the kernel wants a place for them. */
EXPORT long ptrace(enum __ptrace_request request, ...)
{
    va_list list;
    va_start(list, request);
    pid_t pid = va_arg(list, pid_t);
    void *address = va_arg(list, void *);
    void *data = va_arg(list, void *);
    va_end(list);
    bool peeks =
        request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER;
    long word;
    long result = call_ptrace((long)request, pid, address, peeks ? &word : data);
    if (result < 0 || !peeks)
        return errno_edge(result);
    errno = 0;
    return word;
}

EXPORT int thrd_sleep(const struct timespec *request, struct timespec *remaining)
{
    long result = call_nanosleep(request, remaining);
    return result == 0 ? 0 : result == -EINTR ? -1 : -2;
}
