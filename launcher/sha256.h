/* SPDX-License-Identifier: MIT */
/**
 * @file
 * SHA-256 (FIPS 180-4) of short texts, to make seeds of.
 */
#ifndef DETRUN_LAUNCHER_SHA256_H
#define DETRUN_LAUNCHER_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK 64
#define SHA256_BYTES 32

struct sha256 {
    uint32_t state[8];
    uint8_t block[SHA256_BLOCK]; /**< what has not been mixed in yet */
    uint64_t length;             /**< bytes so far */
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t len);
/** The digest; s is used up. */
void sha256_end(struct sha256 *s, uint8_t digest[SHA256_BYTES]);

#endif
