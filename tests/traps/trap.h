/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What trap programs share. A trap prints only what is the same natively and under detrun, checks
 * the rest itself and ends with EXIT-SUCCESS. It runs with the shim, with the shim alone, and,
 * linked statically, with the supervisor alone: it may rely on no answer of detrun's, only on what
 * must hold of answers, whoever gives them.
 */
#ifndef DETRUN_TRAP_H
#define DETRUN_TRAP_H

#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "guest.h"

#define SECOND      INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

/** Memory that children share. */
static inline void *shared_memory(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    return at;
}

/** Two readings of the wall clock agree: an answer of the kernel's is more than a year away. */
static inline bool same_day(long long a, long long b)
{
    return a > 0 && b > 0 && (a > b ? a - b : b - a) < 86400;
}

struct block {
    unsigned char bytes[16];
};

static inline struct block random_block(void)
{
    struct block b;
    CHECK(getrandom(b.bytes, sizeof(b.bytes), 0) == sizeof(b.bytes));
    return b;
}

static inline int compare_blocks(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct block));
}

/** No two blocks are equal. Sorts them. */
static inline void check_distinct(struct block *blocks, size_t n)
{
    qsort(blocks, n, sizeof(*blocks), compare_blocks);
    for (size_t i = 1; i < n; i++)
        CHECK(memcmp(&blocks[i - 1], &blocks[i], sizeof(*blocks)) != 0);
}

/** The next child ends with this status. */
static inline void child_exits(pid_t pid, int code)
{
    int status = 0;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

static inline void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    CHECK(sigaction(number, &action, NULL) == 0);
}

#endif
