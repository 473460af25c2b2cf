/* SPDX-License-Identifier: MIT */
#include "seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sha256.h"

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

static void add_text(struct sha256 *state, const char *text)
{
    sha256_add(state, text, strlen(text));
}

static void add_seed(struct sha256 *state, const struct job_seed *seed)
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
        sha256_add(state, bytes, sizeof(bytes));
    }
}

uint64_t seed_for_test(const struct job_seed *seed, const char *test_name)
{
    uint8_t digest[SHA256_BYTES];
    struct sha256 state;
    sha256_init(&state);
    add_seed(&state, seed);
    add_text(&state, ":");
    add_text(&state, test_name);
    sha256_end(&state, digest);
    return get_be8(digest);
}

uint64_t seed_number_of_text(const char *text)
{
    uint8_t digest[SHA256_BYTES];
    struct sha256 state;
    sha256_init(&state);
    add_text(&state, text);
    sha256_end(&state, digest);
    return get_be8(digest);
}

void seed_key(uint64_t test_seed, uint8_t key[32])
{
    uint8_t bytes[8];
    struct sha256 state;
    put_be8(test_seed, bytes);
    sha256_init(&state);
    add_text(&state, "detrun:key:v1:");
    sha256_add(&state, bytes, sizeof(bytes));
    sha256_end(&state, key);
}
