/* SPDX-License-Identifier: MIT */
/* busy [leak|race|undefined|overflow]: threads, a condition, forks and children, with what the seed
 * decides on lines that begin with "r "; then the fault of that name. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived;
static int shared;
static int racing;

static void *work(void *unused)
{
    struct timespec ms = {0, 1000000};
    unsigned *random = malloc(sizeof *random);
    nanosleep(&ms, NULL);
    if (getrandom(random, sizeof *random, 0) != sizeof *random)
        abort();
    if (racing)
        shared++;
    pthread_mutex_lock(&mutex);
    arrived++;
    pthread_cond_signal(&all);
    pthread_mutex_unlock(&mutex);
    (void)unused;
    return random;
}

static void use_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    while (arrived < THREADS) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += 20;
        pthread_cond_timedwait(&all, &mutex, &deadline);
    }
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < THREADS; i++) {
        void *random;
        pthread_join(threads[i], &random);
        printf("r %x\n", *(unsigned *)random);
        free(random);
    }
}

static void use_children(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("r %d %d\n", (int)getpid(), (int)getppid());
        fflush(stdout);
        free(malloc(4));
        _exit(3);
    }
    if (waitpid(child, &status, 0) != child)
        abort();
    printf("r %d\nchild %d\n", (int)child, WEXITSTATUS(status));
    fflush(stdout);
    printf("system %d\n", WEXITSTATUS(system("exit 2")));
}

static void overflow(size_t size)
{
    char *volatile block = malloc(size);
    block[size] = 1;
    free(block);
}

int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    racing = strcmp(fault, "race") == 0;
    use_threads();
    use_children();
    printf("r %d\n", (int)getpid());
    fflush(stdout);
    if (strcmp(fault, "leak") == 0) {
        char *volatile lost = malloc(3);
        lost[0] = 1;
        lost = NULL;
    }
    if (strcmp(fault, "undefined") == 0) {
        volatile int largest = 2147483647;
        largest = largest + argc;
    }
    if (strcmp(fault, "overflow") == 0)
        overflow((size_t)argc * 2);
    return 0;
}
