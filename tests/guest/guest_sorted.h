/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A folder of files that were made in another order than that of their names, and listings of it:
 * each name is there once; under detrun, in order.
 */
#ifndef DETRUN_GUEST_SORTED_H
#define DETRUN_GUEST_SORTED_H

#include <dirent.h>

#include "guest_procfs.h"

#define FILES      300
#define LONGEST    16
#define MOST_NAMES 2048

struct names {
    int n;
    char name[MOST_NAMES][LONGEST];
};

static char sorted_folder[64];

static inline bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static inline void add_sorted_name(struct names *names, const char *name)
{
    CHECK(names->n < MOST_NAMES && strlen(name) < LONGEST);
    strcpy(names->name[names->n++], name);
}

static inline const char *file_of(int i)
{
    return text("%s/f%d", sorted_folder, i);
}

/** Of n files, f0 ... in an order that is nobody's. */
static inline const char *make_folder(int n)
{
    strcpy(sorted_folder, "sorted-XXXXXX");
    CHECK(mkdtemp(sorted_folder));
    for (int i = 0; i < n; i++) {
        int fd = open(file_of((i * 7 + 3) % n), O_CREAT | O_EXCL | O_WRONLY, 0600);
        CHECK(fd >= 0 && close(fd) == 0);
    }
    return sorted_folder;
}

static inline void remove_folder(int n)
{
    for (int i = 0; i < n; i++)
        CHECK(unlink(file_of(i)) == 0 || errno == ENOENT);
    CHECK(rmdir(sorted_folder) == 0);
}

static inline void check_order(const struct names *names)
{
    int first = names->n > 1 && is_dot(names->name[1]) ? 2 : 0;
    CHECK(first == 0 || (strcmp(names->name[0], ".") == 0 && strcmp(names->name[1], "..") == 0));
    for (int i = first + 1; i < names->n; i++)
        CHECK(strcmp(names->name[i - 1], names->name[i]) < 0);
}

static inline int times_named(const struct names *names, const char *name)
{
    int times = 0;
    for (int i = 0; i < names->n; i++)
        times += strcmp(names->name[i], name) == 0;
    return times;
}

/** All n files, each once. */
static inline void check_names(const struct names *names, int n)
{
    for (int i = 0; i < n; i++)
        CHECK(times_named(names, text("f%d", i)) == 1);
    if (under_detrun())
        check_order(names);
}

#endif
