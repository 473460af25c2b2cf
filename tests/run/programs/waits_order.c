/* SPDX-License-Identifier: MIT */
/*
 * waits_order threads|processes: three that sleep and print, again and again, what they have slept
 * and who they are, with times that meet: two that wake at one time do so in the order of their
 * creation. waits_order sort MS...: a thread for each number sleeps that long and prints it.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 32

/* A round is 60 ms for each of them. */
static const int sleeps_ms[3][6] = {
    {10, 10, 10, 10, 10, 10},
    {15, 15, 15, 15},
    {20, 4, 16, 1, 19},
};

static void sleep_ms(int ms)
{
    struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&ts, NULL);
}

/* One write a line: what others write does not come between. */
static void print(int a, const char *text)
{
    char line[64];
    int size = snprintf(line, sizeof(line), "%d%s\n", a, text);
    if (write(1, line, (size_t)size) != size)
        _exit(3);
}

static void *interleave(void *argument)
{
    int who = (int)(intptr_t)argument;
    char name[] = {' ', (char)('a' + who), '\0'};
    int slept = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 6 && sleeps_ms[who][i]; i++) {
            sleep_ms(sleeps_ms[who][i]);
            print(slept += sleeps_ms[who][i], name);
        }
    }
    return NULL;
}

static void *sort(void *argument)
{
    int ms = (int)(intptr_t)argument;
    sleep_ms(ms);
    print(ms, "");
    return NULL;
}

static int run_threads(int n, void *(*run)(void *), const intptr_t *arguments)
{
    pthread_t threads[MOST];
    for (int i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, run, (void *)arguments[i]) != 0)
            return 1;
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int run_processes(int n, void *(*run)(void *), const intptr_t *arguments)
{
    int bad = 0, status;
    for (int i = 0; i < n; i++) {
        if (fork() == 0) {
            run((void *)arguments[i]);
            _exit(0);
        }
    }
    while (wait(&status) > 0)
        bad |= status != 0;
    return bad;
}

int main(int count, char **arguments)
{
    intptr_t values[MOST] = {0, 1, 2};
    if (count < 2 || count > MOST)
        return 2;
    if (strcmp(arguments[1], "threads") == 0)
        return run_threads(3, interleave, values);
    if (strcmp(arguments[1], "processes") == 0)
        return run_processes(3, interleave, values);
    for (int i = 2; i < count; i++)
        values[i - 2] = atoi(arguments[i]);
    return run_threads(count - 2, sort, values);
}
