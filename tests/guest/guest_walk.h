/* SPDX-License-Identifier: MIT */
/**
 * @file
 * For guests of what walks through folders inside libc: it tells of a file what stat tells.
 */
#ifndef DETRUN_GUEST_WALK_H
#define DETRUN_GUEST_WALK_H

#include <fcntl.h>
#include <sys/stat.h>

#include "guest.h"

static int walked;

/** A folder with three names of two files. */
static inline const char *make_walked(void)
{
    CHECK(mkdir("walked", 0700) == 0 || errno == EEXIST);
    CHECK(close(open("walked/a", O_WRONLY | O_CREAT, 0600)) == 0);
    CHECK(close(open("walked/b", O_WRONLY | O_CREAT, 0600)) == 0);
    CHECK(link("walked/a", "walked/c") == 0 || errno == EEXIST);
    walked = 0;
    return "walked";
}

/** @param told  st_ino and the seconds of st_mtim. Without a supervisor symbols alone tell else. */
static inline void check_walked(const char *path, unsigned long told, long long time)
{
    struct stat st;
    CHECK(lstat(path, &st) == 0);
    CHECK(st.st_ino == told && ((under_detrun() && !supervised()) || st.st_mtim.tv_sec == time));
    walked++;
}

#endif
