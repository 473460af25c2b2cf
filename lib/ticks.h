/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The fixture's two counters, which a session has as well.
 */
#ifndef DETRUN_LIB_TICKS_H
#define DETRUN_LIB_TICKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ticks {
    bool deterministic;
    uint64_t step_ms;
    uint64_t start_ms;
    _Atomic uint64_t timestamps;
    _Atomic uint64_t moves;
};

void ticks_start(struct ticks *t, bool deterministic, uint64_t step_ms);
uint64_t ticks_now_ms(struct ticks *t);

/** As snprintf. */
int ticks_timestamp(struct ticks *t, char *text, size_t room);

/** Unix seconds with milliseconds. As snprintf. */
int ticks_wall(char *text, size_t room);

/** Of the monotonic clock. */
uint64_t ticks_monotonic_ms(void);

#define TICKS_TIMESTAMP "T%06" PRIu64

#endif
