/* SPDX-License-Identifier: MIT */
/**
 * @file
 * For guests that give a file the present as its time, or make one past open: a file that was
 * written before is older. Natively the kernel's clock may not have ticked in between.
 */
#ifndef DETRUN_GUEST_TOUCH_H
#define DETRUN_GUEST_TOUCH_H

#include <stdlib.h>
#include <sys/time.h>

#include "guest_stat.h"

static inline long long mtime_of(const char *path)
{
    struct stat st;
    CHECK(stat(path, &st) == 0);
    return stat_ns(st.st_mtim);
}

static inline void comes_after(const char *later, const char *earlier)
{
    long long second = mtime_of(later);
    CHECK(second >= mtime_of(earlier) && (!supervised() || second > mtime_of(earlier)));
    CHECK(second <= clock_ns(CLOCK_REALTIME));
    if (supervised())
        show("time", second);
}

/** @param touch  a way to give "old" the present; @param set  to give it 2001 */
static inline void touches(int (*touch)(void), int (*set)(void))
{
    close(open("old", O_WRONLY | O_CREAT | O_TRUNC, 0644));
    close(open("new", O_WRONLY | O_CREAT | O_TRUNC, 0644));
    comes_after("new", "old");
    CHECK(touch() == 0);
    comes_after("old", "new");
    CHECK(set() == 0 && mtime_of("old") == 978307200000000000LL);
    CHECK(touch() == 0);
    comes_after("old", "new");
    CHECK(unlink("old") == 0 && unlink("new") == 0);
}

/** @param make  makes a file of this template and returns its descriptor */
static inline void makes(int (*make)(char *name), const char *template)
{
    char name[32];
    close(open("old", O_WRONLY | O_CREAT | O_TRUNC, 0644));
    snprintf(name, sizeof(name), "%s", template);
    int fd = make(name);
    CHECK(fd >= 0);
    comes_after(name, "old");
    close(open("old", O_WRONLY | O_TRUNC));
    comes_after("old", name);
    CHECK(close(fd) == 0 && unlink(name) == 0 && unlink("old") == 0);
    snprintf(name, sizeof(name), "no-template");
    FAILS(EINVAL, make(name));
}

#endif
