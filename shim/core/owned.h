/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Adds on words that one thread owns: one instruction each, so a signal handler of the same thread
 * never sees or makes half an update; no bus lock, so they cost a plain load and store.
 */
#ifndef DETRUN_CORE_OWNED_H
#define DETRUN_CORE_OWNED_H

#include <stdint.h>

/** @return the value before the addition. */
static inline uint64_t owned_fetch_add(_Atomic uint64_t *word, uint64_t n)
{
    __asm__ volatile("xaddq %0, %1" : "+r"(n), "+m"(*word) : : "cc");
    return n;
}

static inline void owned_add(_Atomic uint64_t *word, uint64_t n)
{
    __asm__ volatile("addq %1, %0" : "+m"(*word) : "er"(n) : "cc");
}

static inline void owned_count(uint32_t *counter)
{
    __asm__ volatile("incl %0" : "+m"(*counter) : : "cc");
}

#endif
