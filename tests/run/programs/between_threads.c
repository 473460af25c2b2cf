/* SPDX-License-Identifier: MIT */
/*
 * libc's own signals between threads: setuid() has every thread change its ids and pthread_cancel()
 * interrupts one, beside handlers of the program's.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 4

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%d: %s\n", __LINE__, #condition);                                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static int never[2];
static gid_t group;
static volatile int rounds;

static void take(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
}

static void *block_in_read(void *argument)
{
    char byte;
    return read(never[0], &byte, 1) < 0 ? argument : NULL;
}

/* A raw getegid: each thread has its own in the kernel. */
static void *watch_group(void *argument)
{
    while (rounds == 0)
        usleep(1000);
    CHECK((gid_t)syscall(SYS_getegid) == group);
    return argument;
}

static void install_all(void)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (int number = 1; number < 65; number++)
        if (number != SIGTERM && sigaction(number, &action, NULL) != 0)
            CHECK(number == SIGKILL || number == SIGSTOP || number == 32 || number == 33);
}

static void check_cancel(void)
{
    pthread_t threads[THREADS];
    void *value;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, block_in_read, NULL) == 0);
    usleep(20000);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_kill(threads[i], SIGUSR1) == 0);
        CHECK(pthread_cancel(threads[i]) == 0);
        CHECK(pthread_join(threads[i], &value) == 0 && value == PTHREAD_CANCELED);
    }
}

static void check_ids(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, watch_group, NULL) == 0);
    group = getuid() == 0 ? 12345 : getegid();
    CHECK(setegid(group) == 0 && setuid(getuid()) == 0);
    rounds = 1;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

int main(void)
{
    CHECK(pipe(never) == 0);
    install_all();
    check_cancel();
    check_ids();
    printf("r %d\n", getpid());
    return 0;
}
