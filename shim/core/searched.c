/* SPDX-License-Identifier: MIT */
#include "searched.h"

#include <string.h>

#define PROBES 16

uint64_t searched_key(const uint8_t *build_id, size_t length, uint64_t size)
{
    uint64_t key = size;
    for (size_t i = 0; i < length; i++)
        key = (key ^ build_id[i]) * UINT64_C(0x100000001b3);
    return key ? key : 1;
}

static struct detrun_searched *slot(struct detrun_memory *m, uint64_t key, unsigned probe)
{
    return &m->searched[(key + probe) % DETRUN_SEARCHED];
}

bool searched_find(struct detrun_memory *m, uint64_t key, const struct detrun_window **windows,
                   unsigned *count)
{
    for (unsigned probe = 0; probe < PROBES; probe++) {
        const struct detrun_searched *s = slot(m, key, probe);
        uint64_t there = atomic_load_explicit(&s->key, memory_order_relaxed);
        uint64_t found = atomic_load_explicit(&s->found, memory_order_acquire);
        if (there == 0)
            return false;
        if (there != key)
            continue;
        *windows = &m->windows[(uint32_t)found];
        *count = (unsigned)(found >> 32 & 0xffff);
        return found != 0;
    }
    return false;
}

/* @return whether the key had no slot before, and has this one now */
static bool take(struct detrun_searched *s, uint64_t key, bool *there)
{
    uint64_t old = 0;
    bool taken = atomic_compare_exchange_strong_explicit(&s->key, &old, key, memory_order_relaxed,
                                                         memory_order_relaxed);
    *there = old == key;
    return taken;
}

void searched_put(struct detrun_memory *m, uint64_t key, uint64_t found)
{
    bool there = false;
    for (unsigned probe = 0; probe < PROBES && !there; probe++) {
        struct detrun_searched *s = slot(m, key, probe);
        if (!take(s, key, &there))
            continue;
        atomic_store_explicit(&s->found, found, memory_order_release);
        atomic_fetch_add_explicit(&m->shared.searched, 1, memory_order_relaxed);
        return;
    }
}

void searched_keep(struct detrun_memory *m, uint64_t key, const struct detrun_window *windows,
                   unsigned count)
{
    uint32_t first = 0;
    if (count > 0)
        first = atomic_fetch_add_explicit(&m->shared.windows, count, memory_order_relaxed);
    if (first + (uint64_t)count > DETRUN_WINDOWS)
        return;
    memcpy(&m->windows[first], windows, count * sizeof(*windows));
    searched_put(m, key, DETRUN_SEARCHED_DONE | (uint64_t)count << 32 | first);
}
