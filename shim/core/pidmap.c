/* SPDX-License-Identifier: MIT */
#include "pidmap.h"

#include <string.h>

#include "lineage.h"

#define PROBES 64

static uint64_t scramble(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static uint32_t candidate(const struct detrun_memory *m, const struct detrun_task *t,
                          uint64_t probe)
{
    uint64_t key;
    memcpy(&key, lineage_key_of(m, t), sizeof(key));
    uint64_t range = DETRUN_VPID_END - DETRUN_VPID_FIRST;
    return (uint32_t)(DETRUN_VPID_FIRST + scramble(scramble(key + probe) ^ t->lineage) % range);
}

uint32_t pidmap_first_choice(const struct detrun_memory *m, const struct detrun_task *t)
{
    return candidate(m, t, 0);
}

enum distance { NEAR, FAR };

static _Atomic uint64_t *bucket_of(struct detrun_memory *m, uint32_t vpid, enum distance distance)
{
    uint64_t hash = scramble(vpid);
    return distance == NEAR ? m->near_vpids[hash % DETRUN_VPID_NEAR_BUCKETS]
                            : m->vpids[hash % DETRUN_VPID_BUCKETS];
}

static bool is_taken(_Atomic uint64_t *bucket, uint32_t vpid, const _Atomic uint64_t *except)
{
    for (int i = 0; i < DETRUN_VPID_SLOTS; i++)
        if (&bucket[i] != except &&
            atomic_load_explicit(&bucket[i], memory_order_acquire) >> 32 == vpid)
            return true;
    return false;
}

/* Two that insert the same id at once both see the other's slot and both back off. */
static bool try_insert(_Atomic uint64_t *bucket, uint64_t value)
{
    if (is_taken(bucket, (uint32_t)(value >> 32), NULL))
        return false;
    for (int i = 0; i < DETRUN_VPID_SLOTS; i++) {
        uint64_t expected = 0;
        if (!atomic_compare_exchange_strong_explicit(&bucket[i], &expected, value,
                                                     memory_order_seq_cst, memory_order_relaxed))
            continue;
        if (!is_taken(bucket, (uint32_t)(value >> 32), &bucket[i]))
            return true;
        atomic_store_explicit(&bucket[i], 0, memory_order_release);
        return false;
    }
    return false;
}

/* Nobody looks into a far bucket, and so touches its page, before a near one has been full. */
static bool far_in_use(const struct detrun_memory *m)
{
    return atomic_load_explicit(&m->shared.far_vpids, memory_order_acquire) != 0;
}

static bool place(struct detrun_memory *m, uint32_t vpid, uint64_t value)
{
    if (far_in_use(m) && is_taken(bucket_of(m, vpid, FAR), vpid, NULL))
        return false;
    if (try_insert(bucket_of(m, vpid, NEAR), value))
        return true;
    if (is_taken(bucket_of(m, vpid, NEAR), vpid, NULL))
        return false;
    atomic_fetch_add_explicit(&m->shared.far_vpids, 1, memory_order_acq_rel);
    return try_insert(bucket_of(m, vpid, FAR), value);
}

__attribute__((weak)) bool pidmap_is_gone(const struct detrun_task *t)
{
    (void)t;
    return false;
}

static bool vacate(struct detrun_memory *m, uint32_t vpid)
{
    const struct detrun_task *holder = pidmap_find(m, vpid);
    if (!holder || holder->vtid != vpid || !pidmap_is_gone(holder))
        return false;
    pidmap_remove(m, holder);
    return true;
}

uint32_t pidmap_insert(struct detrun_memory *m, const struct detrun_task *t)
{
    uint32_t vpid = DETRUN_VPID_FIRST;
    for (uint64_t probe = 0; probe < PROBES; probe++) {
        vpid = candidate(m, t, probe);
        uint64_t value = (uint64_t)vpid << 32 | (uint64_t)(t - m->tasks);
        if (place(m, vpid, value) || (vacate(m, vpid) && place(m, vpid, value)))
            return vpid;
        atomic_fetch_add_explicit(&m->shared.gaps[DETRUN_GAP_PID_COLLISION], 1,
                                  memory_order_relaxed);
    }
    return vpid;
}

static struct detrun_task *find_in(struct detrun_memory *m, const _Atomic uint64_t *bucket,
                                   uint32_t vpid)
{
    for (int i = 0; i < DETRUN_VPID_SLOTS; i++) {
        uint64_t slot = atomic_load_explicit(&bucket[i], memory_order_acquire);
        if (slot != 0 && slot >> 32 == vpid)
            return &m->tasks[(uint32_t)slot % DETRUN_MAX_TASKS];
    }
    return NULL;
}

struct detrun_task *pidmap_find(struct detrun_memory *m, uint32_t vpid)
{
    struct detrun_task *t = find_in(m, bucket_of(m, vpid, NEAR), vpid);
    if (!t && far_in_use(m))
        t = find_in(m, bucket_of(m, vpid, FAR), vpid);
    return t;
}

static void remove_from(_Atomic uint64_t *bucket, uint64_t value)
{
    for (int i = 0; i < DETRUN_VPID_SLOTS; i++) {
        uint64_t expected = value;
        atomic_compare_exchange_strong_explicit(&bucket[i], &expected, 0, memory_order_acq_rel,
                                                memory_order_relaxed);
    }
}

void pidmap_remove(struct detrun_memory *m, const struct detrun_task *t)
{
    uint64_t value = (uint64_t)t->vtid << 32 | (uint64_t)(t - m->tasks);
    remove_from(bucket_of(m, t->vtid, NEAR), value);
    if (far_in_use(m))
        remove_from(bucket_of(m, t->vtid, FAR), value);
}
