/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names without links: those of /proc hold the ids that calls tell.
 */
#ifndef DETRUN_GUEST_REALPATH_H
#define DETRUN_GUEST_REALPATH_H

#include <limits.h>

#include "guest_child.h"
#include "guest_procfs.h"

/** Allocated, or in a static buffer. */
typedef const char *resolve_path(const char *path);

static inline int resolves(resolve_path *look, const char *path, const char *expected)
{
    const char *result = look(path);
    return result && strcmp(result, expected) == 0;
}

static inline void check_resolved(resolve_path *look)
{
    pid_t pid = getpid();
    const char *exe = own_path();
    CHECK(resolves(look, "/dev/fd", text("/proc/%d/fd", pid)));
    CHECK(resolves(look, "/usr/./bin/..", "/usr"));
    CHECK(resolves(look, "/proc/self", text("/proc/%d", pid)));
    CHECK(resolves(look, "/proc/thread-self", text("/proc/%d/task/%d", pid, pid)));
    CHECK(resolves(look, text("/proc/%d/task/%d/..", pid, pid), text("/proc/%d/task", pid)));
    CHECK(resolves(look, text("/proc/%d/exe", pid), exe));
    int home = open(".", O_PATH);
    CHECK(home >= 0 && chdir("/proc") == 0);
    CHECK(resolves(look, "self/task", text("/proc/%d/task", pid)));
    CHECK(resolves(look, text("%d/exe", pid), exe));
    CHECK(fchdir(home) == 0 && close(home) == 0);
    errno = 0;
    CHECK(look(text("/proc/%d/exe", NOBODY)) == NULL && errno == ENOENT);
    errno = 0;
    CHECK(look("/nonexistent") == NULL && errno == ENOENT);
    show("pid", pid);
}

#endif
