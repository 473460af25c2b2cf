/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Paths of /proc that name processes and threads by the ids that a program knows.
 */
#ifndef DETRUN_GUEST_PROCFS_H
#define DETRUN_GUEST_PROCFS_H

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "guest_pid.h"

/** Nobody has this id: above the kernel's, and not one that a small job draws. */
#define NOBODY 268435000

/** A text in one of several buffers, which are taken in turn. */
__attribute__((format(printf, 1, 2))) static inline const char *text(const char *format, ...)
{
    static __thread char texts[8][160];
    static __thread unsigned turn;
    char *at = texts[turn++ % 8];
    va_list list;
    va_start(list, format);
    CHECK(vsnprintf(at, sizeof(texts[0]), format, list) < (int)sizeof(texts[0]));
    va_end(list);
    return at;
}

/** 0, or -1 with errno: a call that takes a path of a directory. */
typedef int proc_look(const char *path);

struct proc_thread {
    proc_look *look;
    pid_t pid;
};

static inline void *proc_in_thread(void *argument)
{
    struct proc_thread *t = argument;
    pid_t tid = gettid();
    CHECK(t->look(text("/proc/self/task/%d", tid)) == 0);
    CHECK(t->look(text("/proc/%d/task/%d", t->pid, tid)) == 0);
    CHECK(t->look(text("/proc/%d", tid)) == 0);
    CHECK(t->look("/proc/thread-self/fd") == 0);
    return NULL;
}

static inline void check_proc_of_thread(proc_look *look)
{
    struct proc_thread t = {look, getpid()};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, proc_in_thread, &t) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static inline void check_proc_of_child(proc_look *look)
{
    pid_t pid = child_that_waits();
    CHECK(look(text("/proc/%d", pid)) == 0);
    CHECK(look(text("/proc/%d/task/%d/fd", pid, pid)) == 0);
    CHECK(kill(pid, SIGKILL) == 0);
    check_killed(pid, SIGKILL);
    FAILS(ENOENT, look(text("/proc/%d", pid)));
}

/** In a vfork child too, which shares our memory. */
static inline void check_proc_of_vfork(proc_look *look)
{
    pid_t pid = vfork();
    if (pid == 0)
        _exit(look(text("/proc/%d/fd", getpid())) == 0 && look("/proc/self") == 0 ? 7 : 8);
    check_exit(pid, 7);
}

static inline void check_proc_relative(proc_look *look)
{
    int home = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(home >= 0 && chdir("/proc") == 0);
    CHECK(look(text("%d", getpid())) == 0);
    CHECK(look(text("./%d//task/%d", getpid(), getpid())) == 0);
    FAILS(ENOENT, look(text("%d", NOBODY)));
    CHECK(fchdir(home) == 0 && close(home) == 0);
}

/** What only looks like one of those paths is a name as any other. */
static inline void check_proc_elsewhere(proc_look *look)
{
    const char *name = text("%d", getpid());
    FAILS(ENOENT, look(text("/proc/%d/nothing", getpid())));
    FAILS(ENOENT, look(text("/proc/%d", NOBODY)));
    FAILS(ENOENT, look(text("/proc/0%d", getpid())));
    FAILS(ENOENT, look(text("/nonexistent/%s", name)));
    FAILS(ENOENT, look(name));
    CHECK(mkdir(name, 0700) == 0 && look(name) == 0);
    FAILS(ENOENT, look(text("%s/%s", name, name)));
    CHECK(rmdir(name) == 0);
}

/** Everything above, of a call that finds directories. */
static inline void check_proc_paths(proc_look *look)
{
    pid_t pid = getpid();
    CHECK(look(text("/proc/%d", pid)) == 0);
    CHECK(look(text("/proc/%d/", pid)) == 0);
    CHECK(look(text("/proc//%d/./task/%d", pid, pid)) == 0);
    CHECK(look(text("/proc/self/task/%d", pid)) == 0);
    CHECK(look(text("/proc/self/root/proc/%d", pid)) == 0);
    check_proc_of_thread(look);
    check_proc_of_child(look);
    check_proc_of_vfork(look);
    check_proc_relative(look);
    check_proc_elsewhere(look);
}

/** The same of a call that takes a directory's descriptor. */
typedef int proc_look_at(int dir, const char *path);

static inline void check_proc_at(proc_look_at *look)
{
    pid_t pid = getpid();
    int proc = open("/proc", O_RDONLY | O_DIRECTORY);
    int task = open("/proc/self/task", O_PATH | O_DIRECTORY);
    int root = open("/", O_RDONLY | O_DIRECTORY);
    CHECK(proc >= 0 && task >= 0 && root >= 0);
    CHECK(look(proc, text("%d", pid)) == 0);
    CHECK(look(proc, text("self/task/%d", pid)) == 0);
    CHECK(look(proc, text("/proc/%d", pid)) == 0);
    CHECK(look(task, text("%d", pid)) == 0);
    CHECK(look(root, text("proc/%d", pid)) == 0);
    FAILS(ENOENT, look(proc, text("%d", NOBODY)));
    FAILS(ENOENT, look(root, text("%d", pid)));
    FAILS(EBADF, look(-1, text("%d", pid)));
    CHECK(close(proc) == 0 && close(task) == 0 && close(root) == 0);
}

#endif
