/* SPDX-License-Identifier: MIT */
/* An allocator that asks for time, ids and randomness at each call, under its lock, and with
 * -DTHREADS a pthread_create whose threads ask before they run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 20)

static int lock;
static char *at;
static char *end;

static void ask(void)
{
    struct timespec now;
    unsigned char byte;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (getpid() <= 0 || gettid() <= 0 || getrandom(&byte, 1, 0) != 1)
        __builtin_trap();
}

void *malloc(size_t size)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        ;
    ask();
    size = (size + 31) & ~(size_t)15;
    if (at + size > end) {
        size_t room = size > CHUNK ? size : CHUNK;
        at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        end = at + room;
    }
    char *block = at;
    at += size;
    *(size_t *)block = size - 16;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return block + 16;
}

void free(void *block)
{
    (void)block;
    ask();
}

void *calloc(size_t n, size_t size)
{
    return malloc(n * size);
}

void *realloc(void *old, size_t size)
{
    void *new = malloc(size);
    size_t had = old ? *(size_t *)((char *)old - 16) : 0;
    if (old)
        memcpy(new, old, had < size ? had : size);
    return new;
}

#ifdef THREADS
struct start {
    void *(*routine)(void *);
    void *argument;
};

static void *ask_first(void *argument)
{
    struct start start = *(struct start *)argument;
    ask();
    return start.routine(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                   void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))(uintptr_t)dlsym(
            RTLD_NEXT, "pthread_create");
    struct start *start = malloc(sizeof *start);
    *start = (struct start){routine, argument};
    return real(thread, attributes, ask_first, start);
}

/* Runs in a fork's child before fork returns there. */
__attribute__((constructor)) static void ask_in_children(void)
{
    pthread_atfork(NULL, NULL, ask);
}
#endif
