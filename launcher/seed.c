/* SPDX-License-Identifier: MIT */
#include "seed.h"

#include <inttypes.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdio.h>
#include <string.h>

const char *const seed_encoding_names[SEED_ENCODINGS] = {"be8", "dec", "hex", "text"};

static void put_be8(uint64_t number, uint8_t bytes[8])
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> (56 - 8 * i));
}

static uint64_t get_be8(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[i];
    return number;
}

static void add_text(crypto_hash_sha256_state *state, const char *text)
{
    crypto_hash_sha256_update(state, (const uint8_t *)text, strlen(text));
}

static void add_seed(crypto_hash_sha256_state *state, const struct job_seed *seed)
{
    char text[24];
    uint8_t bytes[8];
    switch (seed->encoding) {
    case SEED_TEXT:
        add_text(state, seed->text);
        return;
    case SEED_DEC:
        snprintf(text, sizeof(text), "%" PRIu64, seed->number);
        add_text(state, text);
        return;
    case SEED_HEX:
        snprintf(text, sizeof(text), "0x%" PRIx64, seed->number);
        add_text(state, text);
        return;
    default:
        put_be8(seed->number, bytes);
        crypto_hash_sha256_update(state, bytes, sizeof(bytes));
    }
}

uint64_t seed_for_test(const struct job_seed *seed, const char *test_name)
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    add_seed(&state, seed);
    add_text(&state, ":");
    add_text(&state, test_name);
    crypto_hash_sha256_final(&state, digest);
    return get_be8(digest);
}

uint64_t seed_number_of_text(const char *text)
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, (const uint8_t *)text, strlen(text));
    return get_be8(digest);
}

void seed_key(uint64_t test_seed, uint8_t key[32])
{
    uint8_t bytes[8];
    crypto_hash_sha256_state state;
    put_be8(test_seed, bytes);
    crypto_hash_sha256_init(&state);
    add_text(&state, "detrun:key:v1:");
    crypto_hash_sha256_update(&state, bytes, sizeof(bytes));
    crypto_hash_sha256_final(&state, key);
}
