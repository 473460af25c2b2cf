/* SPDX-License-Identifier: MIT */
/* The parent of a child that a thread forked is the process, also when that thread has ended. */
#include <pthread.h>

#include "trap.h"

static int ends[2];
static pid_t child;

static void *fork_and_end(void *unused)
{
    pid_t parent = getpid();
    char byte;
    child = fork();
    if (child == 0) {
        CHECK(read(ends[0], &byte, 1) == 1);
        for (int i = 0; i < 1000; i++)
            CHECK(getppid() == parent);
        _exit(3);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(pthread_create(&thread, NULL, fork_and_end, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(write(ends[1], "x", 1) == 1);
        child_exits(child, 3);
    }
    return guest_end();
}
