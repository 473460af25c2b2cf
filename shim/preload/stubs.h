/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Code that stands in for instructions of the processor: calls an entry of processor.h, does what
 * else the window held, and jumps back behind it.
 */
#ifndef DETRUN_SHIM_STUBS_H
#define DETRUN_SHIM_STUBS_H

#include <stdbool.h>
#include <stddef.h>

#include "instructions.h"
#include "patch.h"
#include "processor.h"

/** Bytes of the longest stub: its calls and what a window holds. */
#define STUBS_SIZE_MAX 64

/** What the stubs of one object begin with. */
struct stubs_head {
    uintptr_t entries[PROCESSOR_ENTRIES];
};

void stubs_begin(struct stubs_head *head);

/**
 * Write the stub of a window.
 * @param code  the window's first byte, in its text
 * @return how long it is; 0: this cannot be moved, or the bytes are no longer what they were
 */
size_t stubs_write(uint8_t *stub, const struct stubs_head *head, const uint8_t *code,
                   const struct instruction_window *window);

/** The patches that lead to a stub. @return how many, 2 at most */
size_t stubs_lead(const uint8_t *text, const struct instruction_window *window, const uint8_t *stub,
                  struct patch patches[2]);

#endif
