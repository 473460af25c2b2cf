/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Which family a clock id belongs to.
 */
#ifndef DETRUN_CORE_CLOCK_ID_H
#define DETRUN_CORE_CLOCK_ID_H

#include <stdbool.h>
#include <time.h>

#include "detrun/abi.h"

/**
 * Negative ids are CPU clocks of a process or thread (kernel: include/linux/posix-timers.h, the low
 * three bits 0 to 2 or 4 to 6) or clocks of a descriptor (low bits 3), which stay real.
 * @return an enum detrun_family, or -1 for what is not a clock of ours
 */
static inline int clock_family(clockid_t id)
{
    static const signed char families[] = {
        [CLOCK_REALTIME] = DETRUN_FAMILY_WALL,
        [CLOCK_MONOTONIC] = DETRUN_FAMILY_MONO,
        [CLOCK_PROCESS_CPUTIME_ID] = DETRUN_FAMILY_CPU,
        [CLOCK_THREAD_CPUTIME_ID] = DETRUN_FAMILY_CPU,
        [CLOCK_MONOTONIC_RAW] = DETRUN_FAMILY_MONO,
        [CLOCK_REALTIME_COARSE] = DETRUN_FAMILY_WALL,
        [CLOCK_MONOTONIC_COARSE] = DETRUN_FAMILY_MONO,
        [CLOCK_BOOTTIME] = DETRUN_FAMILY_MONO,
        [CLOCK_REALTIME_ALARM] = DETRUN_FAMILY_WALL,
        [CLOCK_BOOTTIME_ALARM] = DETRUN_FAMILY_MONO,
        [10] = -1, /* was CLOCK_SGI_CYCLE */
        [CLOCK_TAI] = DETRUN_FAMILY_WALL,
    };
    if (id < 0)
        return (id & 3) != 3 ? DETRUN_FAMILY_CPU : -1;
    return id < (clockid_t)sizeof(families) ? families[id] : -1;
}

/** Is this the CPU clock of a process or thread that the id names, and not just the caller's? */
static inline bool clock_id_names(clockid_t id)
{
    return id < 0 && (id & 3) != 3 && id >> 3 != -1;
}

/** Of such an id: whom it names, and the same clock of another. The kernel's 29 bits, inverted. */
static inline int32_t clock_id_pid(clockid_t id)
{
    return ~(id >> 3);
}

static inline clockid_t clock_id_of(int32_t pid, clockid_t like)
{
    return (clockid_t)(~(uint32_t)pid << 3 | ((uint32_t)like & 7));
}

/** The source that --real names for a family. */
static inline enum detrun_source clock_source(enum detrun_family family)
{
    static const enum detrun_source sources[] = {DETRUN_WALL, DETRUN_MONOTONIC, DETRUN_CPUTIME};
    return sources[family];
}

#endif
