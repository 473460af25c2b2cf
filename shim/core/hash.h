/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The one hash of names and places: XXH3, 64 bits, the same on every machine.
 */
#ifndef DETRUN_CORE_HASH_H
#define DETRUN_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed);

#endif
