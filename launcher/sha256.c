/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <string.h>

static const uint32_t start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static uint32_t get_be4(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_be4(uint32_t x, uint8_t *bytes)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(x >> (24 - 8 * i));
}

static void expand(uint32_t w[64], const uint8_t *block)
{
    for (int i = 0; i < 16; i++)
        w[i] = get_be4(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15];
        uint32_t b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

/* The standard's a to h are v[-i & 7] and those behind it: one place further back each round. */
static void round_of(uint32_t v[8], int i, uint32_t word)
{
#define V(n) v[((n)-i) & 7]
    uint32_t e = V(4);
    uint32_t a = V(0);
    uint32_t one =
        V(7) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & V(5)) ^ (~e & V(6))) + word;
    uint32_t two =
        (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & V(1)) ^ (a & V(2)) ^ (V(1) & V(2)));
    V(3) += one;
    V(7) = one + two;
#undef V
}

static void mix(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t v[8];
    expand(w, block);
    memcpy(v, state, sizeof(v));
    for (int i = 0; i < 64; i++)
        round_of(v, i, constants[i] + w[i]);
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256_init(struct sha256 *s)
{
    memcpy(s->state, start, sizeof(start));
    s->length = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++) {
        s->block[s->length++ % SHA256_BLOCK] = bytes[i];
        if (s->length % SHA256_BLOCK == 0)
            mix(s->state, s->block);
    }
}

void sha256_end(struct sha256 *s, uint8_t digest[SHA256_BYTES])
{
    static const uint8_t padding[SHA256_BLOCK] = {0x80};
    uint8_t bits[8];
    put_be4((uint32_t)(s->length >> 29), bits);
    put_be4((uint32_t)(s->length << 3), bits + 4);
    sha256_add(s, padding, SHA256_BLOCK - (s->length + sizeof(bits)) % SHA256_BLOCK);
    sha256_add(s, bits, sizeof(bits));
    for (int i = 0; i < 8; i++)
        put_be4(s->state[i], digest + 4 * i);
}
