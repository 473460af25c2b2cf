/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Listings of /proc and of /proc/PID/task: they hold the ids that calls tell, in ascending order.
 */
#ifndef DETRUN_GUEST_LISTING_H
#define DETRUN_GUEST_LISTING_H

#include <dirent.h>

#include "guest_procfs.h"

/** More than there can be processes on most machines; the rest is not looked at. */
#define MAX_IDS 65536

struct ids {
    int n;
    int id[MAX_IDS];
};

/** Adds the ids of a directory by add_name(). */
typedef void list_ids(const char *path, struct ids *ids);

static inline void add_name(struct ids *ids, const char *name)
{
    if (name[0] >= '1' && name[0] <= '9' && ids->n < MAX_IDS)
        ids->id[ids->n++] = atoi(name);
}

static inline int count_id(const struct ids *ids, int id)
{
    int n = 0;
    for (int i = 0; i < ids->n; i++)
        n += ids->id[i] == id;
    return n;
}

static inline int compare_ids(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

static inline void sort_ids(struct ids *ids)
{
    qsort(ids->id, (size_t)ids->n, sizeof(ids->id[0]), compare_ids);
}

static inline void check_ascending(const struct ids *ids)
{
    for (int i = 1; i < ids->n; i++)
        CHECK(ids->id[i] > ids->id[i - 1]);
}

/** The whole of it, which holds us and our child; then not the child any more. */
static inline void check_processes(list_ids *look)
{
    static struct ids ids;
    pid_t child = child_that_waits();
    ids.n = 0;
    look("/proc", &ids);
    check_ascending(&ids);
    CHECK(count_id(&ids, getpid()) == 1 && count_id(&ids, child) == 1);
    CHECK(count_id(&ids, getppid()) == 1);
    CHECK(!under_detrun() || count_id(&ids, (int)getpgrp()) <= 1);
    CHECK(kill(child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
    ids.n = 0;
    look("/proc", &ids);
    CHECK(count_id(&ids, getpid()) == 1 && count_id(&ids, child) == 0);
}

struct listed_thread {
    list_ids *look;
    pid_t pid;
};

static inline void *list_in_thread(void *argument)
{
    const struct listed_thread *t = argument;
    static struct ids ids;
    ids.n = 0;
    t->look(text("/proc/%d/task", t->pid), &ids);
    if (under_detrun()) /* natively in the order of creation */
        check_ascending(&ids);
    CHECK(ids.n == 2 && count_id(&ids, t->pid) == 1 && count_id(&ids, gettid()) == 1);
    ids.n = 0;
    t->look("/proc/thread-self/../../task", &ids);
    CHECK(ids.n == 2 && count_id(&ids, gettid()) == 1);
    show("thread", gettid());
    return NULL;
}

static inline void check_threads(list_ids *look)
{
    struct listed_thread t = {look, getpid()};
    static struct ids ids;
    ids.n = 0;
    pthread_t thread;
    look("/proc/self/task", &ids);
    CHECK(ids.n == 1 && ids.id[0] == getpid());
    CHECK(pthread_create(&thread, NULL, list_in_thread, &t) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

/** Numbers that are names as any other. */
static inline void check_other_listing(list_ids *look)
{
    static struct ids ids;
    ids.n = 0;
    const char *name = text("%d", getpid());
    int fd = open("/dev/null", O_RDONLY);
    look("/proc/self/fd", &ids);
    CHECK(count_id(&ids, fd) == 1 && close(fd) == 0);
    rmdir("folder/1");
    rmdir(text("folder/%s", name));
    CHECK((mkdir("folder", 0700) == 0 || errno == EEXIST) && mkdir("folder/1", 0700) == 0);
    CHECK(mkdir(text("folder/%s", name), 0700) == 0);
    ids.n = 0;
    look("folder", &ids);
    CHECK(ids.n == 2 && count_id(&ids, 1) == 1 && count_id(&ids, getpid()) == 1);
    CHECK(rmdir("folder/1") == 0 && rmdir(text("folder/%s", name)) == 0 && rmdir("folder") == 0);
}

static inline void check_listings(list_ids *look)
{
    check_other_listing(look);
    check_processes(look);
    check_threads(look);
    check_other_listing(look);
}

#endif
