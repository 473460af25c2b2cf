/* SPDX-License-Identifier: MIT */
/* A program with a time, a clock_gettime, a getpid, a getrandom and a malloc of its own: they win,
 * and what libc does by itself goes on working. */
#include <pthread.h>
#include <stddef.h>

#include "trap.h"

static int asked_time, asked_clock, asked_pid, asked_random;
static _Atomic size_t used;
static char arena[1 << 22] __attribute__((aligned(16)));

time_t time(time_t *out)
{
    asked_time++;
    if (out)
        *out = 12345;
    return 12345;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
    asked_clock++;
    *ts = (struct timespec){.tv_sec = 777 + id, .tv_nsec = 5};
    return 0;
}

pid_t getpid(void)
{
    asked_pid++;
    return 4;
}

ssize_t getrandom(void *bytes, size_t len, unsigned flags)
{
    asked_random++;
    memset(bytes, (int)flags + 9, len);
    return (ssize_t)len;
}

void *malloc(size_t size)
{
    size_t at = (used += (size + 31) & ~(size_t)15) - ((size + 31) & ~(size_t)15);
    if (at + size + 16 > sizeof(arena))
        return NULL;
    *(size_t *)(void *)(arena + at) = size;
    return arena + at + 16;
}

void free(void *block)
{
    (void)block;
}

void *calloc(size_t n, size_t size)
{
    return malloc(n * size); /* never given out before: zero */
}

void *realloc(void *old, size_t size)
{
    char *new = malloc(size);
    size_t had = old ? *(size_t *)(void *)((char *)old - 16) : 0;
    if (new &&old)
        memcpy(new, old, had < size ? had : size);
    return new;
}

static void *in_thread(void *argument)
{
    struct timespec ms = {0, 1000000};
    CHECK(nanosleep(&ms, NULL) == 0 && getpid() == 4);
    return argument;
}

int main(void)
{
    struct timespec ts;
    unsigned char bytes[4];
    pthread_t thread;
    CHECK(time(NULL) == 12345 && asked_time == 1);
    CHECK(clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_sec == 778 && asked_clock == 1);
    CHECK(getpid() == 4 && asked_pid == 1);
    CHECK(getrandom(bytes, 4, 0) == 4 && bytes[3] == 9 && asked_random == 1);
    CHECK(pthread_create(&thread, NULL, in_thread, bytes) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(getpid() == 4 ? 3 : 2);
    child_exits(pid, 3);
    CHECK(system("exit 9") == 9 << 8);
    FILE *pipe = popen("echo here", "r");
    char line[16] = "";
    CHECK(pipe && fgets(line, sizeof(line), pipe) && strcmp(line, "here\n") == 0);
    CHECK(pclose(pipe) == 0);
    return guest_end();
}
