/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a thread shows of itself, however it was started.
 */
#ifndef DETRUN_GUEST_THREAD_H
#define DETRUN_GUEST_THREAD_H

#include <pthread.h>
#include <sys/random.h>
#include <threads.h>

#include "guest.h"

struct thread_view {
    pid_t pid;
    pid_t tid;
    long long monotonic;
    unsigned char bytes[16];
};

static inline void *thread_look(void *argument)
{
    struct thread_view *view = argument;
    view->pid = getpid();
    view->tid = gettid();
    CHECK(getrandom(view->bytes, sizeof(view->bytes), 0) == sizeof(view->bytes));
    usleep(20000);
    view->monotonic = clock_ns(CLOCK_MONOTONIC);
    return argument;
}

/** Of threads that were joined: all differ, and their time has passed for us. */
static inline void check_views(const struct thread_view *views, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK(views[i].pid == getpid() && views[i].tid != getpid());
        CHECK(clock_ns(CLOCK_MONOTONIC) >= views[i].monotonic);
        for (int k = 0; k < i; k++) {
            CHECK(memcmp(views[i].bytes, views[k].bytes, 16) != 0);
            CHECK(!under_detrun() || views[i].tid != views[k].tid);
        }
        show("tid", views[i].tid);
        show_bytes("random", views[i].bytes, 16);
        if (under_detrun())
            show("monotonic", views[i].monotonic);
    }
}

#endif
