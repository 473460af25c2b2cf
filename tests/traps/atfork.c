/* SPDX-License-Identifier: MIT */
/* Handlers of pthread_atfork that ask for everything, while the forking thread holds its own locks.
 */
#include <pthread.h>

#include "trap.h"

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pid_t parent;
static struct block *blocks;
static int prepared;

static void prepare(void)
{
    CHECK(pthread_mutex_trylock(&own) == EBUSY);
    parent = getpid();
    blocks[0] = random_block();
    prepared++;
}

static void in_parent(void)
{
    CHECK(getpid() == parent && time(NULL) > 0);
    blocks[1] = random_block();
}

static void in_child(void)
{
    CHECK(getpid() != parent && getppid() == parent && gettid() == getpid());
    CHECK(clock_ns(CLOCK_MONOTONIC) > 0);
    blocks[2] = random_block();
}

static void *fork_locked(void *unused)
{
    CHECK(pthread_mutex_lock(&own) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(pthread_mutex_unlock(&own) == 0 && pthread_mutex_lock(&own) == 0);
        blocks[3] = random_block();
        _exit(6);
    }
    CHECK(pthread_mutex_unlock(&own) == 0);
    blocks[4] = random_block();
    child_exits(pid, 6);
    return unused;
}

int main(void)
{
    pthread_t thread;
    blocks = shared_memory(4096);
    CHECK(pthread_atfork(prepare, in_parent, in_child) == 0);
    for (int i = 0; i < 3; i++) {
        fork_locked(NULL);
        check_distinct(blocks, 5);
        CHECK(pthread_create(&thread, NULL, fork_locked, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        check_distinct(blocks, 5);
    }
    CHECK(prepared == 6);
    return guest_end();
}
