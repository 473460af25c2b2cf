/* SPDX-License-Identifier: MIT */
/* Forks by several threads while others allocate, read clocks and take bytes: nobody's lock is left
 * held in a child, and each child is its own. */
#include <pthread.h>

#include "trap.h"

#define FORKERS  3
#define FORKS    15
#define PER_FORK 2

static _Atomic bool over;
static struct block *blocks;

static void *keep_asking(void *unused)
{
    while (!over) {
        free(malloc(100));
        CHECK(clock_ns(CLOCK_MONOTONIC) > 0 && getpid() > 0);
        random_block();
    }
    return unused;
}

static void fork_once(struct block *out)
{
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(getppid() == parent && getpid() == gettid() && getpid() != parent);
        free(malloc(1000));
        CHECK(time(NULL) > 0);
        *out = random_block();
        _exit(0);
    }
    out[1] = random_block();
    child_exits(pid, 0);
}

static void *fork_again(void *argument)
{
    struct block *out = argument;
    for (int i = 0; i < FORKS; i++)
        fork_once(out + i * PER_FORK);
    return NULL;
}

int main(void)
{
    pthread_t askers[2], forkers[FORKERS];
    blocks = shared_memory(sizeof(*blocks) * FORKERS * FORKS * PER_FORK);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&askers[i], NULL, keep_asking, NULL) == 0);
    for (int i = 0; i < FORKERS; i++)
        CHECK(pthread_create(&forkers[i], NULL, fork_again, blocks + i * FORKS * PER_FORK) == 0);
    for (int i = 0; i < FORKERS; i++)
        CHECK(pthread_join(forkers[i], NULL) == 0);
    over = true;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(askers[i], NULL) == 0);
    check_distinct(blocks, FORKERS * FORKS * PER_FORK);
    return guest_end();
}
