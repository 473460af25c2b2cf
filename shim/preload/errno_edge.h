/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The only place that writes errno: where a handler's result leaves for the program.
 */
#ifndef DETRUN_SHIM_ERRNO_EDGE_H
#define DETRUN_SHIM_ERRNO_EDGE_H

extern int *__errno_location(void) __attribute__((weak));

/** -4095 .. -1 become errno and -1, all else is returned as it is. */
static inline long errno_edge(long result)
{
    if (__builtin_expect((unsigned long)result <= -4096UL, 1))
        return result;
    if (&__errno_location)
        *__errno_location() = (int)-result;
    return -1;
}

#endif
