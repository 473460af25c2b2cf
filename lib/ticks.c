/* SPDX-License-Identifier: MIT */
#include "ticks.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

uint64_t ticks_monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* A deterministic one reads no clock: that would move it. */
void ticks_start(struct ticks *t, bool deterministic, uint64_t step_ms)
{
    t->deterministic = deterministic;
    t->step_ms = step_ms;
    t->start_ms = deterministic ? 0 : ticks_monotonic_ms();
    atomic_init(&t->timestamps, 0);
    atomic_init(&t->moves, 0);
}

uint64_t ticks_now_ms(struct ticks *t)
{
    if (!t->deterministic)
        return ticks_monotonic_ms() - t->start_ms;
    return (atomic_fetch_add(&t->moves, 1) + 1) * t->step_ms;
}

int ticks_wall(char *text, size_t room)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return snprintf(text, room, "%" PRId64 ".%03d", (int64_t)now.tv_sec,
                    (int)(now.tv_nsec / 1000000));
}

int ticks_timestamp(struct ticks *t, char *text, size_t room)
{
    if (!t->deterministic)
        return ticks_wall(text, room);
    return snprintf(text, room, TICKS_TIMESTAMP, atomic_fetch_add(&t->timestamps, 1));
}
