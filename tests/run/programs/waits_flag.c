/* SPDX-License-Identifier: MIT */
/* A thread spins, without any call, for what another sets after a sleep; then for its answer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static atomic_int flag;

static void *set(void *unused)
{
    struct timespec ts = {.tv_nsec = 10000000};
    for (int i = 1; i < 10; i += 2) {
        nanosleep(&ts, NULL);
        atomic_store(&flag, i);
        while (atomic_load(&flag) == i)
            ;
    }
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    for (int i = 1; i < 10; i += 2) {
        while (atomic_load(&flag) != i)
            ;
        atomic_store(&flag, i + 1);
    }
    pthread_join(other, NULL);
    printf("set\n");
    return 0;
}
