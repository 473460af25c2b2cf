/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The present directory's name, which may be one of /proc.
 */
#ifndef DETRUN_GUEST_CWD_H
#define DETRUN_GUEST_CWD_H

#include "guest_procfs.h"

/** Its length, or -1 with errno. */
typedef ssize_t cwd_read(char *buf, size_t size);

static inline void check_cwd_is(cwd_read *look, const char *expected)
{
    size_t n = strlen(expected);
    char buf[256];
    CHECK(look(buf, sizeof(buf)) == (ssize_t)n && strcmp(buf, expected) == 0);
    char *tight = guarded(n + 1);
    CHECK(look(tight, n + 1) == (ssize_t)n && strcmp(tight, expected) == 0 && guard_holds(tight));
    FAILS(ERANGE, look(tight, n));
    FAILS(ERANGE, look(tight, 1));
}

static inline void check_cwd(cwd_read *look)
{
    CHECK(chdir("/usr") == 0);
    check_cwd_is(look, "/usr");
    CHECK(chdir("/proc") == 0);
    check_cwd_is(look, "/proc");
    CHECK(chdir("/proc/self") == 0);
    check_cwd_is(look, text("/proc/%d", getpid()));
    CHECK(chdir("task") == 0);
    check_cwd_is(look, text("/proc/%d/task", getpid()));
    CHECK(chdir(text("%d/fd", getpid())) == 0);
    check_cwd_is(look, text("/proc/%d/task/%d/fd", getpid(), getpid()));
    show("pid", getpid());
}

#endif
