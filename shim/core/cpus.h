/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The processors that a job sees: so many as it was told, from 0 on, or the machine's. Which of
 * them a task may run on is what it was told last, by itself or by who made it; the kernel is not
 * told, since it may have fewer.
 */
#ifndef DETRUN_CORE_CPUS_H
#define DETRUN_CORE_CPUS_H

#include <errno.h>
#include <stddef.h>

#include "detrun/abi.h"

#define CPUS_MAX 64

/** @return how many; 0: the machine's */
static inline unsigned cpus_count(const struct detrun_params *p)
{
    return p->real >> DETRUN_CPUS & 1 ? 0 : p->cpus;
}

/** All of them, a bit each. There are some. */
static inline uint64_t cpus_all(const struct detrun_params *p)
{
    return UINT64_MAX >> (CPUS_MAX - p->cpus);
}

static inline uint64_t cpus_of(const struct detrun_params *p, const struct detrun_task *t)
{
    uint64_t own = atomic_load_explicit(&t->cpus, memory_order_relaxed);
    return own ? own : cpus_all(p);
}

/** How many there are in a set. (No builtin: without popcnt that is a call to the compiler's
 * library.) */
static inline unsigned cpus_in(uint64_t set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/** The one that it runs on: it does not move. */
static inline unsigned cpus_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

#define CPUS_MACHINE_WORDS 128 /**< of the kernel's largest set */

/** The same of a set of the machine's. */
static inline unsigned cpus_first_of_machine(const uint64_t set[CPUS_MACHINE_WORDS])
{
    for (unsigned word = 0; word < CPUS_MACHINE_WORDS; word++)
        if (set[word] != 0)
            return 64 * word + cpus_first(set[word]);
    return 0;
}

/** Bytes of a set that the kernel writes into one of this size, or -EINVAL: sched_getaffinity(2) */
static inline long cpus_written(size_t size)
{
    return size < sizeof(uint64_t) || size % sizeof(long) != 0 ? -EINVAL : (long)sizeof(uint64_t);
}

/** sched_setaffinity(2): what is beyond the last one does not count. @return 0 or -EINVAL */
static inline long cpus_set(const struct detrun_params *p, struct detrun_task *t, uint64_t set)
{
    if ((set & cpus_all(p)) == 0)
        return -EINVAL;
    atomic_store_explicit(&t->cpus, set & cpus_all(p), memory_order_relaxed);
    return 0;
}

#endif
