/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include <stdbool.h>
#include <string.h>

#include "lineage.h"
#include "owned.h"

#define ROUNDS 8
#define BLOCK  64
#define BLOCKS (STREAM_GROUP / BLOCK)

/* Four blocks side by side, one in each lane: SSE2 on x86-64, NEON on aarch64. */
typedef uint32_t lanes __attribute__((vector_size(16)));

#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define QUARTER(a, b, c, d)                                                                        \
    (a += b, d ^= a, d = ROTATE(d, 16), c += d, b ^= c, b = ROTATE(b, 12), a += b, d ^= a,         \
     d = ROTATE(d, 8), c += d, b ^= c, b = ROTATE(b, 7))

static lanes splat(uint32_t word)
{
    return (lanes){word, word, word, word};
}

static void initial_state(lanes state[16], const uint8_t key[32], uint64_t nonce, uint64_t block)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t words[8];
    memcpy(words, key, sizeof(words));
    for (int i = 0; i < 4; i++)
        state[i] = splat(constants[i]);
    for (int i = 0; i < 8; i++)
        state[4 + i] = splat(words[i]);
    for (unsigned i = 0; i < BLOCKS; i++) {
        state[12][i] = (uint32_t)(block + i);
        state[13][i] = (uint32_t)((block + i) >> 32);
    }
    state[14] = splat((uint32_t)nonce);
    state[15] = splat((uint32_t)(nonce >> 32));
}

static void transpose_out(const lanes x[16], uint8_t out[STREAM_GROUP])
{
    for (int i = 0; i < 16; i += 4) {
        lanes ab_low = __builtin_shufflevector(x[i], x[i + 1], 0, 4, 1, 5);
        lanes ab_high = __builtin_shufflevector(x[i], x[i + 1], 2, 6, 3, 7);
        lanes cd_low = __builtin_shufflevector(x[i + 2], x[i + 3], 0, 4, 1, 5);
        lanes cd_high = __builtin_shufflevector(x[i + 2], x[i + 3], 2, 6, 3, 7);
        lanes row[BLOCKS] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                             __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                             __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                             __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
        for (int block = 0; block < BLOCKS; block++)
            memcpy(out + block * BLOCK + i * 4, &row[block], sizeof(lanes));
    }
}

static void keystream_group(const uint8_t key[32], uint64_t nonce, uint64_t group,
                            uint8_t out[STREAM_GROUP])
{
    lanes state[16];
    lanes x[16];
    initial_state(state, key, nonce, group * BLOCKS);
    memcpy(x, state, sizeof(x));
    for (int round = 0; round < ROUNDS; round += 2) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        x[i] += state[i];
    transpose_out(x, out);
}

static uint64_t nonce_of(const struct detrun_task *t, enum detrun_stream stream)
{
    uint64_t place = (uint64_t)t->generation * DETRUN_STREAMS + (uint64_t)stream;
    return t->lineage + place * UINT64_C(0x9e3779b97f4a7c15);
}

/* The common lengths, a word, a seed and a UUID, without a call. */
static inline void copy_short(uint8_t *to, const uint8_t *from, size_t len)
{
    if (len == 16)
        memcpy(to, from, 16);
    else if (len == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, len);
}

static bool take_cached(struct stream_cache *cache, const uint8_t key[32], uint64_t nonce,
                        uint64_t position, void *buf, size_t len)
{
    uint64_t group = position / STREAM_GROUP;
    size_t offset = position % STREAM_GROUP;
    if (cache->busy || offset + len > STREAM_GROUP)
        return false;
    cache->busy = 1;
    __atomic_signal_fence(__ATOMIC_ACQ_REL);
    if (!cache->valid || cache->nonce != nonce || cache->group != group) {
        keystream_group(key, nonce, group, cache->bytes);
        cache->nonce = nonce;
        cache->group = group;
        cache->valid = 1;
    }
    copy_short(buf, cache->bytes + offset, len);
    __atomic_signal_fence(__ATOMIC_ACQ_REL);
    cache->busy = 0;
    return true;
}

static void make_bytes(const uint8_t key[32], uint64_t nonce, uint64_t position, uint8_t *out,
                       size_t len)
{
    uint8_t group[STREAM_GROUP];
    while (len > 0) {
        size_t offset = position % STREAM_GROUP;
        size_t n = STREAM_GROUP - offset;
        if (n > len)
            n = len;
        if (n == STREAM_GROUP) {
            keystream_group(key, nonce, position / STREAM_GROUP, out);
        } else {
            keystream_group(key, nonce, position / STREAM_GROUP, group);
            memcpy(out, group + offset, n);
        }
        out += n;
        position += n;
        len -= n;
    }
}

void stream_fill(const struct detrun_memory *m, struct detrun_task *t, enum detrun_stream stream,
                 struct stream_cache *cache, void *buf, size_t len)
{
    uint64_t nonce = nonce_of(t, stream);
    uint64_t position = owned_fetch_add(&t->position[stream], len);
    const uint8_t *key = lineage_key_of(m, t);
    if (cache && take_cached(cache, key, nonce, position, buf, len))
        return;
    make_bytes(key, nonce, position, buf, len);
}

void stream_at(const struct detrun_memory *m, const struct detrun_task *t,
               enum detrun_stream stream, uint64_t position, void *buf, size_t len)
{
    make_bytes(lineage_key_of(m, t), nonce_of(t, stream), position, buf, len);
}

void stream_uuid(const struct detrun_memory *m, struct detrun_task *t, char text[STREAM_UUID_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[16];
    stream_fill(m, t, DETRUN_STREAM_UUID, NULL, bytes, sizeof(bytes));
    bytes[6] = (uint8_t)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (uint8_t)((bytes[8] & 0x3f) | 0x80);
    char *out = text;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *out++ = '-';
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\n';
}
