/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Writing into mapped text: mprotect there and back, or /proc/self/mem where that is refused.
 */
#ifndef DETRUN_SHIM_PATCH_H
#define DETRUN_SHIM_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One place to be overwritten. */
struct patch {
    uintptr_t address;
    uint8_t bytes[16];
    size_t length;
};

/** Overwrite all, in ascending order of pages best. @return false: nothing or not all written. */
bool patch_write(const struct patch *patches, size_t n);

/** The same within a mapping whose protection changes as a whole or not at all, as the vDSO's does
 * (the kernel lets nobody split it). */
bool patch_write_within(uintptr_t start, uintptr_t end, const struct patch *patches, size_t n);

#endif
