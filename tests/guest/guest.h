/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What every guest program is made of. A guest exercises one row of calls.def: by libc symbol, by
 * syscall() and by an instruction of its own. It checks what the kernel promises (so it must pass
 * natively), shows the values that detrun controls (so two runs are equal) and ends with
 * EXIT-SUCCESS. A line that says "seed: same" in a comment: no shown value depends on the seed.
 */
#ifndef DETRUN_GUEST_H
#define DETRUN_GUEST_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            guest_fail(__FILE__, __LINE__, #condition);                                            \
    } while (0)
/** A libc call that returns -1 with this errno. */
#define FAILS(error, call) CHECK((errno = 0, (call) == -1) && errno == (error))

static inline void guest_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s (errno %d: %s)\n", file, line, what, errno, strerror(errno));
    exit(1);
}

/* Children print as well: nothing may wait in a buffer when the process forks. */
__attribute__((constructor)) static void guest_unbuffered(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
}

static inline void show(const char *what, long long value)
{
    printf("%s %lld\n", what, value);
}

static inline void show_bytes(const char *what, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    printf("%s ", what);
    for (size_t i = 0; i < n; i++)
        printf("%02x", at[i]);
    printf("\n");
}

static inline int guest_end(void)
{
    printf("EXIT-SUCCESS\n");
    return 0;
}

/** Set by the runner: is this a run under detrun, and one that has a supervisor? */
static inline bool under_detrun(void)
{
    return getenv("GUEST_DETRUN") != NULL;
}

static inline bool supervised(void)
{
    return under_detrun() && getenv("GUEST_ALONE") == NULL;
}

/** Without supervisor an image that exec made shares no clock with who started it. */
static inline bool children_share_time(void)
{
    return !under_detrun() || supervised();
}

/* Ways to a system call that no libc symbol of its name shows. */
enum door { BY_SYSCALL, BY_INSTRUCTION, DOORS };

/** Is what comes back through this door detrun's? A bare instruction needs the supervisor. */
static inline bool answered(enum door door)
{
    return door == BY_SYSCALL || getenv("GUEST_ALONE") == NULL;
}

static inline long guest_instruction(long nr, const long a[6])
{
    register long r10 __asm__("r10") = a[3];
    register long r8 __asm__("r8") = a[4];
    register long r9 __asm__("r9") = a[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(nr), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static inline long guest_call(enum door door, long nr, const long a[6])
{
    if (door == BY_INSTRUCTION)
        return guest_instruction(nr, a);
    long result = syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
    return result == -1 ? -errno : result;
}

/** by(door, number, arguments as longs): the value or -errno. At least one argument, 0 will do. */
#define by(door, nr, ...) guest_call(door, nr, (const long[6]){__VA_ARGS__})

static inline char *guest_pages(void)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    CHECK(mprotect(pages + 4096, 4096, PROT_NONE) == 0);
    return pages;
}

/** size bytes of 0xa5 that end where an unreadable page begins; 0xa5 before them too. */
static inline void *guarded(size_t size)
{
    char *pages = guest_pages();
    memset(pages, 0xa5, 4096);
    return pages + 4096 - size;
}

/** Was nothing written before a guarded object? (After it nothing can be.) */
static inline bool guard_holds(const void *object)
{
    const unsigned char *at = object;
    for (int i = 1; i <= 64; i++)
        if (at[-i] != 0xa5)
            return false;
    return true;
}

/** An address that cannot be used. */
static inline void *bad_pointer(void)
{
    return guest_pages() + 4096;
}

static inline long long clock_ns(clockid_t id)
{
    struct timespec ts;
    CHECK(clock_gettime(id, &ts) == 0);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static inline struct timespec timespec_ns(long long ns)
{
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

#endif
