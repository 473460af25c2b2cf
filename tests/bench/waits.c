/* SPDX-License-Identifier: MIT */
/*
 * waits WORK: prints what one wait costs, in cycles of the time stamp counter, the only clock that
 * is real under detrun; the best of several batches. "idle" waits for ever.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define BATCHES 7
#define OTHERS  20

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;
static int nothing[2];

static void *wait_for_condition(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&never, &mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *wait_for_input(void *argument)
{
    struct pollfd input = {.fd = nothing[0], .events = POLLIN};
    poll(&input, 1, -1);
    return argument;
}

static void *give_back(void *argument)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (turn != 1)
            pthread_cond_wait(&turned, &mutex);
        turn = 0;
        pthread_cond_signal(&turned);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void op_sleep(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Two waits: there and back. */
static void op_turn(void)
{
    pthread_mutex_lock(&mutex);
    turn = 1;
    pthread_cond_signal(&turned);
    while (turn != 0)
        pthread_cond_wait(&turned, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void op_idle(void)
{
    wait_for_input(NULL);
}

static const struct work {
    const char *name;
    void (*op)(void);
    void *(*other)(void *);
    int others;
    int count;
    int waits; /* of an op */
} works[] = {
    {"sleep", op_sleep, NULL, 0, 100, 1},
    {"among_told", op_sleep, wait_for_condition, OTHERS, 100, 1},
    {"among_input", op_sleep, wait_for_input, OTHERS, 100, 1},
    {"event", op_turn, give_back, 1, 5000, 2},
    {"idle", op_idle, wait_for_condition, OTHERS, 1, 1},
};

/* Where the scheduler puts two threads that wake each other makes more of a difference than any. */
static void stay_on_one_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static double best_batch(const struct work *work)
{
    double best = 1e300;
    for (int batch = 0; batch < BATCHES; batch++) {
        unsigned long long start = __rdtsc();
        for (int i = 0; i < work->count; i++)
            work->op();
        double each = (double)(__rdtsc() - start) / work->count / work->waits;
        if (each < best)
            best = each;
    }
    return best;
}

static const struct work *find(const char *name)
{
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (strcmp(name, works[i].name) == 0)
            return &works[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct work *work = argc == 2 ? find(argv[1]) : NULL;
    if (work == NULL || pipe(nothing) != 0)
        return 2;
    if (work->op == op_turn)
        stay_on_one_processor();
    for (int i = 0; i < work->others; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work->other, NULL) != 0)
            return 1;
    }
    printf("%.2f\n", best_batch(work));
    fflush(stdout);
    _exit(0);
}
