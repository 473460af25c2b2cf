/* SPDX-License-Identifier: MIT */
/**
 * @file
 * For guests that take a file's last name away: it keeps its number while it is open, and the next
 * file of that name, which on some file systems has the kernel's number of the one before, gets
 * another one.
 */
#ifndef DETRUN_GUEST_REMOVED_H
#define DETRUN_GUEST_REMOVED_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "guest.h"

static inline long long number_of(const char *path)
{
    struct stat st;
    CHECK(lstat(path, &st) == 0);
    return (long long)st.st_ino;
}

static inline void make_one(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0 && close(fd) == 0);
}

/** @param clear  takes the name away. @param make  the next file that is made */
static inline void takes_away(const char *path, int (*clear)(const char *path),
                              void (*make)(const char *path))
{
    clear(path);
    make(path);
    struct stat st;
    long long first = number_of(path);
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && clear(path) == 0);
    CHECK(fstat(fd, &st) == 0 && (long long)st.st_ino == first && close(fd) == 0);
    make(path);
    long long second = number_of(path);
    CHECK(!supervised() || second != first);
    if (supervised()) {
        show("first", first);
        show("second", second);
    }
    FAILS(EFAULT, clear(bad_pointer()));
    CHECK(clear(path) == 0);
    FAILS(ENOENT, clear(path));
}

/** @param move  renames a file. It takes the place, and keeps its own number. */
static inline void takes_the_place(int (*move)(const char *from, const char *to))
{
    unlink("old");
    unlink("new");
    make_one("old");
    make_one("new");
    long long old = number_of("old");
    long long new = number_of("new");
    CHECK(old != new &&move("new", "old") == 0 && number_of("old") == new);
    CHECK(move("old", "old") == 0 && number_of("old") == new);
    make_one("new");
    long long third = number_of("new");
    CHECK(third != new && (!supervised() || third != old));
    CHECK(link("old", "linked") == 0 && move("new", "old") == 0 && number_of("linked") == new);
    if (supervised()) {
        show("new", new);
        show("third", third);
    }
    FAILS(EFAULT, move("old", bad_pointer()));
    FAILS(EFAULT, move(bad_pointer(), "old"));
    FAILS(ENOENT, move("nothing", "old"));
    CHECK(unlink("old") == 0 && unlink("linked") == 0);
}

#endif
