/* SPDX-License-Identifier: MIT */
/* The last that runs: destructors of threads' keys, of thread-local data's owners, handlers of
 * atexit, and destructors of the program ask for everything, also when the first thread has ended
 * before. */
#include <pthread.h>

#include "trap.h"

static struct block *blocks;
static _Atomic unsigned *taken;
static pthread_key_t key;
static pid_t own_pid;

static void take(void)
{
    CHECK(getpid() == own_pid && gettid() > 0 && time(NULL) > 0);
    CHECK(clock_ns(CLOCK_MONOTONIC) > 0);
    blocks[(*taken)++] = random_block();
}

static void at_thread_end(void *value)
{
    take();
    if (value == (void *)taken)
        pthread_setspecific(key, blocks); /* once more */
}

static void at_exit(void)
{
    take();
}

__attribute__((destructor)) static void at_unload(void)
{
    if (!blocks || getpid() != own_pid)
        return;
    take();
    CHECK(*taken == 7);
    check_distinct(blocks, *taken);
    guest_end();
}

static void *in_thread(void *ends_program)
{
    take();
    CHECK(pthread_setspecific(key, (void *)taken) == 0);
    if (!ends_program)
        return NULL;
    struct timespec ms = {0, 20000000};
    nanosleep(&ms, NULL);
    exit(0);
}

int main(void)
{
    pthread_t thread;
    own_pid = getpid();
    taken = shared_memory(4096);
    blocks = (struct block *)(void *)(taken + 4);
    CHECK(atexit(at_exit) == 0 && pthread_key_create(&key, at_thread_end) == 0);
    CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_setspecific(key, (void *)blocks) == 0);
    CHECK(pthread_create(&thread, NULL, in_thread, (void *)taken) == 0);
    pthread_exit(NULL);
}
