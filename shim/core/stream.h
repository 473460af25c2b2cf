/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Seeded byte streams: ChaCha8 (8 rounds, 64-bit counter and nonce as in the original ChaCha) under
 * the job's key. The nonce is made of lineage, generation and stream, so no two tasks, images or
 * streams share a byte; the position lives in the task's record.
 */
#ifndef DETRUN_CORE_STREAM_H
#define DETRUN_CORE_STREAM_H

#include "detrun/abi.h"

#define STREAM_GROUP 256 /**< bytes of keystream made at once: four blocks */

/**
 * Keystream at hand for short reads, one a thread. A signal handler that finds it busy makes its
 * bytes on its own stack.
 */
struct stream_cache {
    uint64_t nonce;
    uint64_t group;
    uint32_t valid;
    volatile uint32_t busy;
    uint8_t bytes[STREAM_GROUP];
};

/**
 * The next len bytes of one stream of a task.
 * @param cache  the calling thread's, or NULL
 * Context: any thread, signal handlers; the supervisor for a held task.
 */
void stream_fill(const struct detrun_memory *m, struct detrun_task *t, enum detrun_stream stream,
                 struct stream_cache *cache, void *buf, size_t len);

/** Bytes at a given place, whatever was read before. */
void stream_at(const struct detrun_memory *m, const struct detrun_task *t,
               enum detrun_stream stream, uint64_t position, void *buf, size_t len);

/** Size of a UUID's text with its newline, as /proc/sys/kernel/random/uuid gives it. */
#define STREAM_UUID_TEXT 37

/** The next version 4 UUID (RFC 9562, section 5.4) of a task, lower case, ending in a newline. */
void stream_uuid(const struct detrun_memory *m, struct detrun_task *t, char text[STREAM_UUID_TEXT]);

#endif
