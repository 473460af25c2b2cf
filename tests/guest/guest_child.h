/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Children: what a started program shows of itself, and how its end is waited for.
 */
#ifndef DETRUN_GUEST_CHILD_H
#define DETRUN_GUEST_CHILD_H

#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "guest.h"

/** What a new image sees: all of it detrun's, also with an empty environment. */
static inline int child_image(void)
{
    unsigned char bytes[8];
    CHECK(getrandom(bytes, sizeof(bytes), 0) == 8);
    show_bytes("child random", bytes, sizeof(bytes));
    show("child pid", getpid());
    show("child time", time(NULL));
    return 0;
}

static inline const char *own_path(void)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
    CHECK(n > 0);
    return path;
}

static inline const char *own_name(void)
{
    static char path[PATH_MAX];
    static char folder[PATH_MAX];
    strcpy(path, own_path());
    strcpy(folder, own_path());
    CHECK(setenv("PATH", dirname(folder), 1) == 0);
    return basename(path);
}

/** A child that ended with this exit status. */
static inline void check_exit(pid_t pid, int code)
{
    int status;
    CHECK(pid > 0);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

/** The same program, through the id that it knows itself by. */
static inline const char *own_proc_path(void)
{
    static char path[32];
    CHECK(snprintf(path, sizeof(path), "/proc/%d/exe", getpid()) > 0);
    return path;
}

/** In a child of its own: replace the image, which shows itself; then fail in every usual way. */
static inline int check_exec(int (*execute)(const char *path))
{
    for (int i = 0; i < 2; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            execute(i == 0 ? NULL : own_proc_path());
            _exit(99);
        }
        check_exit(pid, 0);
        show("forked", pid);
    }
    FAILS(ENOENT, execute("/nonexistent/program"));
    FAILS(EACCES, execute("/etc/passwd"));
    unsigned char bytes[8];
    CHECK(getrandom(bytes, sizeof(bytes), 0) == 8);
    show_bytes("still here", bytes, sizeof(bytes));
    return guest_end();
}

/** A child that ends at once with this status. */
static inline pid_t child_that_exits(int code)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(code);
    CHECK(pid > 0);
    return pid;
}

/**
 * Are virtual ids understood by calls that only the caller itself can do? The supervisor, to whom a
 * bare instruction leads, can neither do them for it nor change its arguments.
 */
static inline bool translated(enum door door)
{
    return door == BY_SYSCALL || !under_detrun();
}

/** A child that waits for a signal. */
static inline pid_t child_that_waits(void)
{
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    CHECK(pid > 0);
    return pid;
}

#endif
