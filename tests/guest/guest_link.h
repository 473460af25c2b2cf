/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Links of /proc: what they show is what getpid and gettid say.
 */
#ifndef DETRUN_GUEST_LINK_H
#define DETRUN_GUEST_LINK_H

#include "guest_procfs.h"

typedef ssize_t link_read(const char *path, char *buf, size_t size);

static inline void check_link(link_read *look, const char *path, const char *expected)
{
    char buf[256];
    size_t n = strlen(expected);
    memset(buf, '#', sizeof(buf));
    CHECK(look(path, buf, sizeof(buf)) == (ssize_t)n);
    CHECK(memcmp(buf, expected, n) == 0 && buf[n] == '#');
    /* Cut off where the buffer ends, and not a byte behind it. */
    char *small = guarded(n - 1);
    CHECK(look(path, small, n - 1) == (ssize_t)n - 1);
    CHECK(memcmp(small, expected, n - 1) == 0 && guard_holds(small));
    CHECK(look(path, small + n - 2, 1) == 1 && small[n - 2] == expected[0]);
}

static inline void *links_in_thread(void *look)
{
    const char *own = text("%d/task/%d", getpid(), gettid());
    check_link((link_read *)(uintptr_t)look, "/proc/thread-self", own);
    check_link((link_read *)(uintptr_t)look, "/proc/self", text("%d", getpid()));
    return NULL;
}

/** A file whose name begins with a number, and a link to it. */
static inline void check_own_link(link_read *look)
{
    const char *target = text("%d/x", 1);
    unlink("self");
    CHECK(symlink(target, "self") == 0);
    check_link(look, "self", target);
    CHECK(unlink("self") == 0);
}

static inline void check_links(link_read *look)
{
    pid_t pid = getpid();
    pthread_t thread;
    check_link(look, "/proc/self", text("%d", pid));
    check_link(look, "/proc//./thread-self", text("%d/task/%d", pid, pid));
    CHECK(pthread_create(&thread, NULL, links_in_thread, (void *)(uintptr_t)look) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    int fd = open("/proc/self/task", O_PATH);
    check_link(look, text("/proc/%d/fd/%d", pid, fd), text("/proc/%d/task", pid));
    CHECK(close(fd) == 0);
    check_own_link(look);
    char buf[8];
    FAILS(EINVAL, look(text("/proc/%d", pid), buf, sizeof(buf)));
    FAILS(ENOENT, look("/nonexistent", buf, sizeof(buf)));
    FAILS(EINVAL, look("/proc/self", buf, 0));
    FAILS(EFAULT, look("/proc/self", bad_pointer(), 8));
    FAILS(EFAULT, look(bad_pointer(), buf, sizeof(buf)));
}

#endif
