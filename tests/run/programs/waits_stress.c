/* SPDX-License-Identifier: MIT */
/*
 * waits_stress SEED: a hundred producers and a hundred consumers, in random timed waits and wakes
 * over condition variables, semaphores and pipes. Each token that is sent is received, no wait that
 * runs out returns before its time, and a wait of an hour never runs out: producers send for
 * milliseconds, and then something is sent to whoever still waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "waits_time.h"

#define THREADS  100 /* of either sort */
#define CHANNELS 24
#define TOKENS   40 /* of each producer */
#define HOUR     (3600 * SECOND)

enum kind { COND, SEM, PIPE, KINDS };

struct channel {
    enum kind kind;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    int waiting; /* tokens */
    sem_t sem;
    int fds[2];
};

static struct channel channels[CHANNELS];
static atomic_long sent, received, timeouts;
static atomic_bool over;
static unsigned job_seed;

static void bad(const char *what, int64_t by)
{
    printf("%s (%lld ns, %s)\n", what, (long long)by, strerror(errno));
    fflush(stdout);
    _exit(1);
}

static void send_token(struct channel *c)
{
    switch (c->kind) {
    case COND:
        pthread_mutex_lock(&c->mutex);
        c->waiting++;
        pthread_cond_signal(&c->cond);
        pthread_mutex_unlock(&c->mutex);
        break;
    case SEM:
        sem_post(&c->sem);
        break;
    default:
        if (write(c->fds[1], "t", 1) != 1)
            bad("cannot write", 0);
    }
}

/* Each waits until a deadline of its kind's clock: true with a token, false when it is over. */
static bool wait_cond(struct channel *c, int64_t deadline)
{
    struct timespec ts = time_of(deadline);
    int error = 0;
    pthread_mutex_lock(&c->mutex);
    while (c->waiting == 0 && error == 0)
        error = pthread_cond_timedwait(&c->cond, &c->mutex, &ts);
    bool got = c->waiting > 0;
    c->waiting -= got;
    pthread_mutex_unlock(&c->mutex);
    if (error && error != ETIMEDOUT)
        bad("cond", error);
    return got;
}

static bool wait_sem(struct channel *c, int64_t deadline)
{
    struct timespec ts = time_of(deadline);
    if (sem_timedwait(&c->sem, &ts) == 0)
        return true;
    if (errno != ETIMEDOUT)
        bad("sem", errno);
    return false;
}

/* Of several that see a token one reads it; the others wait for what is left. */
static bool wait_pipe(struct channel *c, int64_t deadline)
{
    char token;
    for (int64_t left; (left = deadline - now(CLOCK_MONOTONIC)) > 0;) {
        struct pollfd fd = {.fd = c->fds[0], .events = POLLIN};
        int ready = poll(&fd, 1, (int)((left + MILLISECOND - 1) / MILLISECOND));
        if (ready < 0)
            bad("poll", errno);
        if (ready == 0 && now(CLOCK_MONOTONIC) < deadline)
            bad("poll returned early", left);
        if (read(c->fds[0], &token, 1) == 1)
            return true;
    }
    return false;
}

static bool wait_token(struct channel *c, int64_t ns)
{
    static bool (*const waits[KINDS])(struct channel *, int64_t) = {wait_cond, wait_sem, wait_pipe};
    clockid_t id = c->kind == PIPE ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    int64_t deadline = now(id) + ns;
    if (waits[c->kind](c, deadline))
        return true;
    int64_t at = now(id);
    if (at < deadline)
        bad("returned early", deadline - at);
    if (ns == HOUR)
        bad("an hour's wait ran out", c->kind);
    atomic_fetch_add(&timeouts, 1);
    return false;
}

static void nap(int64_t ns)
{
    struct timespec ts = time_of(ns);
    int64_t before = now(CLOCK_MONOTONIC);
    nanosleep(&ts, NULL);
    int64_t slept = now(CLOCK_MONOTONIC) - before;
    if (slept < ns)
        bad("slept too little", ns - slept);
}

static void *produce(void *argument)
{
    unsigned seed = job_seed * 1000 + (unsigned)(intptr_t)argument;
    for (int i = 0; i < TOKENS; i++) {
        if (rand_r(&seed) % 3)
            nap(rand_r(&seed) % (3 * MILLISECOND) + 20000);
        atomic_fetch_add(&sent, 1);
        send_token(&channels[(unsigned)rand_r(&seed) % CHANNELS]);
    }
    return NULL;
}

static void *consume(void *argument)
{
    unsigned seed = job_seed * 1000 + 500 + (unsigned)(intptr_t)argument;
    while (!atomic_load(&over)) {
        struct channel *c = &channels[(unsigned)rand_r(&seed) % CHANNELS];
        bool long_wait = rand_r(&seed) % 4 == 0;
        if (wait_token(c, long_wait ? HOUR : rand_r(&seed) % (4 * MILLISECOND) + 20000))
            atomic_fetch_add(&received, 1);
    }
    return NULL;
}

static void open_channels(void)
{
    for (int i = 0; i < CHANNELS; i++) {
        struct channel *c = &channels[i];
        c->kind = (enum kind)(i % KINDS);
        pthread_mutex_init(&c->mutex, NULL);
        pthread_cond_init(&c->cond, NULL);
        sem_init(&c->sem, 0, 0);
        if (pipe2(c->fds, O_NONBLOCK) != 0)
            bad("pipe", 0);
    }
}

/* What nobody has waited for any more. */
static long left_over(void)
{
    long n = 0;
    char token;
    for (int i = 0; i < CHANNELS; i++) {
        struct channel *c = &channels[i];
        for (n += c->waiting; sem_trywait(&c->sem) == 0;)
            n++;
        while (read(c->fds[0], &token, 1) == 1)
            n++;
    }
    return n;
}

static void start(pthread_t *threads, void *(*run)(void *))
{
    for (intptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
            bad("no thread", i);
}

static void join(const pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int count, char **arguments)
{
    static pthread_t producers[THREADS], consumers[THREADS];
    job_seed = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
    open_channels();
    start(consumers, consume);
    start(producers, produce);
    join(producers);
    atomic_store(&over, true);
    for (int i = 0; i < CHANNELS * THREADS; i++) {
        atomic_fetch_add(&sent, 1);
        send_token(&channels[i % CHANNELS]);
    }
    join(consumers);
    long n = atomic_load(&received) + left_over();
    if (n != atomic_load(&sent))
        bad("not all that was sent was received", atomic_load(&sent) - n);
    printf("sent %ld\n", atomic_load(&sent));
    fprintf(stderr, "received %ld, %ld timeouts\n", atomic_load(&received), atomic_load(&timeouts));
    return 0;
}
