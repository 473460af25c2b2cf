/* SPDX-License-Identifier: MIT */
/**
 * @file
 * From job seed and test name to the test seed and the key of all streams (contract, section 2).
 */
#ifndef DETRUN_LAUNCHER_SEED_H
#define DETRUN_LAUNCHER_SEED_H

#include <stdint.h>

enum seed_encoding { SEED_BE8, SEED_DEC, SEED_HEX, SEED_TEXT, SEED_ENCODINGS };

/** Names of the encodings, in the order of the enum. */
extern const char *const seed_encoding_names[SEED_ENCODINGS];

struct job_seed {
    enum seed_encoding encoding;
    uint64_t number;  /**< of a text seed: the first 8 bytes of its SHA-256 */
    const char *text; /**< SEED_TEXT only */
};

/** First 8 bytes, big-endian, of SHA-256(job seed + ":" + test name). */
uint64_t seed_for_test(const struct job_seed *seed, const char *test_name);

uint64_t seed_number_of_text(const char *text);

/** SHA-256("detrun:key:v1:" + 8 big-endian bytes of the test seed). */
void seed_key(uint64_t test_seed, uint8_t key[32]);

#endif
