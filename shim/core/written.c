/* SPDX-License-Identifier: MIT */
#include "written.h"

#include "lineage.h"

#define PROBES 64

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static uint64_t key_of(uint64_t dev, uint64_t ino)
{
    return mix(mix(dev) + ino) | 1;
}

static struct detrun_written *slot(struct detrun_memory *m, uint64_t key, uint64_t probe)
{
    return &m->written[(key >> 1 & (DETRUN_WRITTEN_FILES - 1)) ^ probe];
}

static uint64_t key_in(const struct detrun_written *file)
{
    return atomic_load_explicit(&file->key, memory_order_acquire);
}

struct detrun_written *written_entry(struct detrun_memory *m, uint64_t dev, uint64_t ino)
{
    uint64_t key = key_of(dev, ino);
    for (uint64_t probe = 0; probe < PROBES; probe++) {
        struct detrun_written *file = slot(m, key, probe);
        uint64_t there = 0;
        if (key_in(file) == key ||
            atomic_compare_exchange_strong_explicit(&file->key, &there, key, memory_order_acq_rel,
                                                    memory_order_acquire) ||
            there == key)
            return file;
    }
    lineage_count_gap(m, DETRUN_GAP_FILES_WRITTEN);
    return NULL;
}

static struct detrun_written *find(struct detrun_memory *m, uint64_t key)
{
    for (uint64_t probe = 0; probe < PROBES; probe++) {
        struct detrun_written *file = slot(m, key, probe);
        uint64_t there = key_in(file);
        if (there == key || there == 0)
            return there == key ? file : NULL;
    }
    return NULL;
}

int64_t written_at(struct detrun_memory *m, uint64_t dev, uint64_t ino)
{
    const struct detrun_written *file = find(m, key_of(dev, ino));
    return file ? atomic_load_explicit(&file->ns, memory_order_acquire) : 0;
}

void written_forget(struct detrun_memory *m, uint64_t dev, uint64_t ino)
{
    struct detrun_written *file = find(m, key_of(dev, ino));
    if (file)
        atomic_store_explicit(&file->ns, 0, memory_order_release);
}

void written_raise(struct detrun_written *file, int64_t ns)
{
    int64_t seen = atomic_load_explicit(&file->ns, memory_order_relaxed);
    while (seen < ns && !atomic_compare_exchange_weak_explicit(
                            &file->ns, &seen, ns, memory_order_acq_rel, memory_order_relaxed))
        ;
}
