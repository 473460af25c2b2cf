/* SPDX-License-Identifier: MIT */
/**
 * @file
 * For guests that make pipes: one has one number, at both its ends, in links and in children.
 */
#ifndef DETRUN_GUEST_PIPE_H
#define DETRUN_GUEST_PIPE_H

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "guest_procfs.h"

static inline long long number_of_end(int fd)
{
    struct stat st;
    char link[64] = "";
    char cut[8] = "";
    const char *path = text("/proc/self/fd/%d", fd);
    CHECK(fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode));
    CHECK(readlink(path, link, sizeof(link)) == (ssize_t)strlen(link));
    CHECK(strcmp(link, text("pipe:[%llu]", (unsigned long long)st.st_ino)) == 0);
    path = text("/proc/self/fd/%d", fd);
    CHECK(readlink(path, cut, sizeof(cut)) == sizeof(cut) && memcmp(cut, link, sizeof(cut)) == 0);
    struct stat named;
    CHECK(stat(path, &named) == 0 && named.st_ino == st.st_ino && named.st_dev == st.st_dev);
    return (long long)st.st_ino;
}

/** A file of that text is none. */
static inline void check_other_link(void)
{
    char link[64] = "";
    unlink("pointing");
    CHECK(symlink("pipe:[123456]", "pointing") == 0);
    CHECK(readlink("pointing", link, sizeof(link)) == 13 && strcmp(link, "pipe:[123456]") == 0);
    CHECK(unlink("pointing") == 0);
}

/** @param make  makes a pipe */
static inline void check_pipes(int (*make)(int ends[2]))
{
    int first[2];
    int second[2];
    CHECK(make(first) == 0 && make(second) == 0);
    long long number = number_of_end(first[0]);
    CHECK(number_of_end(first[1]) == number && number_of_end(second[0]) != number);
    pid_t child = fork();
    if (child == 0)
        _exit(number_of_end(first[1]) == number ? 0 : 1);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(write(first[1], "x", 1) == 1 && close(first[0]) == 0 && close(first[1]) == 0);
    CHECK(close(second[0]) == 0 && close(second[1]) == 0);
    FAILS(EFAULT, make(bad_pointer()));
    if (supervised())
        show("number", number);
    check_other_link();
}

#endif
