/* SPDX-License-Identifier: MIT */
/**
 * @file
 * DETRUN_CONTEXT: what a shim without supervisor carries across exec, one struct as lower-case hex
 * text of constant length.
 */
#ifndef DETRUN_CONTEXT_H
#define DETRUN_CONTEXT_H

#include <stdbool.h>

#include "detrun/abi.h"

struct detrun_context {
    uint32_t version; /**< DETRUN_ABI_VERSION */
    uint32_t real;
    uint8_t key[32];
    uint64_t job_seed;
    uint64_t test_seed;
    int64_t epoch_ns;
    int64_t mono_start_ns;
    uint64_t step_ns[DETRUN_FAMILIES];
    uint64_t lineage;
    uint32_t vpid;
    uint32_t parent_vpid;
    uint32_t generation;
    uint32_t children;
    uint64_t cpus_count;
    uint64_t cpus;
    uint64_t base;
    uint64_t moved[DETRUN_FAMILIES];
};

#define DETRUN_CONTEXT_TEXT (2 * sizeof(struct detrun_context))

/** Writes DETRUN_CONTEXT_TEXT characters, no terminator. */
static inline void detrun_context_encode(const struct detrun_context *context, char *text)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = (const uint8_t *)context;
    for (size_t i = 0; i < sizeof(*context); i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
}

static inline int detrun_context_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** @return false when the text is not one context of this version. */
static inline bool detrun_context_decode(const char *text, struct detrun_context *context)
{
    uint8_t *bytes = (uint8_t *)context;
    for (size_t i = 0; i < sizeof(*context); i++) {
        int high = detrun_context_digit(text[2 * i]);
        int low = high < 0 ? -1 : detrun_context_digit(text[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return text[DETRUN_CONTEXT_TEXT] == '\0' && context->version == DETRUN_ABI_VERSION;
}

static inline void detrun_context_from_task(struct detrun_context *context,
                                            const struct detrun_params *params,
                                            const struct detrun_task *t)
{
    uint32_t flags = atomic_load_explicit(&t->flags, memory_order_relaxed);
    const uint8_t *key = flags & DETRUN_TASK_KEYED ? t->key : params->key;
    *context = (struct detrun_context){
        .version = DETRUN_ABI_VERSION,
        .real = params->real,
        .cpus_count = params->cpus,
        .cpus = atomic_load_explicit(&t->cpus, memory_order_relaxed),
        .job_seed = params->job_seed,
        .test_seed = params->test_seed,
        .epoch_ns = params->epoch_ns,
        .mono_start_ns = params->mono_start_ns,
        .lineage = t->lineage,
        .vpid = t->vpid,
        .parent_vpid = t->parent_vpid,
        .generation = t->generation,
        .children = t->children - t->children_before,
        .base = atomic_load_explicit(&t->base, memory_order_relaxed),
    };
    for (size_t i = 0; i < sizeof(context->key); i++)
        context->key[i] = key[i];
    for (int f = 0; f < DETRUN_FAMILIES; f++) {
        context->step_ns[f] = params->step_ns[f];
        context->moved[f] = atomic_load_explicit(&t->moved[f], memory_order_relaxed);
    }
}

#endif
