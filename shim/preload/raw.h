/* SPDX-License-Identifier: MIT */
/**
 * @file
 * System calls as instructions: the value or -errno, errno untouched. x86-64.
 */
#ifndef DETRUN_SHIM_RAW_H
#define DETRUN_SHIM_RAW_H

#include <errno.h>
#include <sys/syscall.h>

#include "detrun/abi.h"

/**
 * The last two registers are cleared: with DETRUN_PASS left there a call of the program's own, of
 * fewer arguments, would go to the kernel.
 */
static inline long raw6(long nr, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall\n\txorl %%r8d, %%r8d\n\txorl %%r9d, %%r9d"
                     : "=a"(result), "+r"(r8), "+r"(r9)
                     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

static inline long raw4(long nr, long a, long b, long c, long d)
{
    register long r10 __asm__("r10") = d;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static inline long raw3(long nr, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(nr), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

/** An identity call of the shim's own, which the filter lets through: the real answer. */
static inline int raw_identity(long nr)
{
    return (int)raw6(nr, 0, 0, 0, 0, 0, (long)DETRUN_PASS);
}

/** A trapped call of at most two arguments, likewise for the kernel alone. */
static inline long raw_own(long nr, long a, long b)
{
    return raw6(nr, a, b, 0, 0, 0, (long)DETRUN_PASS);
}

/**
 * The shim's private call; -EINVAL where no supervisor answers. A signal whose handler does not
 * restart calls ends one that the supervisor has not seen yet.
 */
static inline long raw_private(enum detrun_operation operation, long a, long b, long c)
{
    long result;
    do
        result = raw6(SYS_prctl, DETRUN_OPTION, (long)operation, a, b, c, 0);
    while (result == -EINTR);
    return result;
}

static inline int raw_getpid(void)
{
    return raw_identity(SYS_getpid);
}

static inline int raw_gettid(void)
{
    return raw_identity(SYS_gettid);
}

#endif
