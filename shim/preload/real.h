/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The function that a program would have called without us: the next definition after the shim in
 * the search order. Found by reading the loaded objects' hash tables: no lock, no allocation, so
 * from any thread and any signal handler; remembered after the first time.
 */
#ifndef DETRUN_SHIM_REAL_H
#define DETRUN_SHIM_REAL_H

#include <stdint.h>

#include "detrun/calls_doors.h"

enum real_id {
#define CALL(name, ...)      REAL_##name,
#define CALL_LIBC(name, ...) REAL_LIBC_##name,
#define CALL_VOID(name, ...) REAL_LIBC_##name,
#define CALL_HAND(name, ...) REAL_LIBC_##name,
#include "detrun/calls.def"
    REAL_COUNT
};

/** @return the address, or 0 when no object after the shim has it. */
uintptr_t real_find(enum real_id id);

/** REAL(row) for CALL rows, REAL_LIBC(row) for the others; both give a typed pointer. */
#define REAL(name)      ((__typeof__(&name))real_find(REAL_##name))
#define REAL_LIBC(name) ((__typeof__(&name))real_find(REAL_LIBC_##name))

/** The calling thread's errno, negated: what a real function that returned -1 said. */
long real_errno(void);

/** A real function's int or ssize_t result as a value or -errno. */
static inline long real_result(long result)
{
    return result == -1 ? real_errno() : result;
}

#endif
