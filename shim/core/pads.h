/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Padding between functions: room for a jump that a short jump nearby can reach.
 */
#ifndef DETRUN_CORE_PADS_H
#define DETRUN_CORE_PADS_H

#include "instructions.h"

/**
 * Find padding that nothing runs into, INSTRUCTIONS_JUMP bytes of it, in reach of a jmp with a
 * distance of one byte at `from`.
 * @param taken  windows found before, whose pads are taken; `n` of them
 * @return its offset in the text, 0: there is none
 */
uint32_t pads_find(const struct instruction_text *text, const uint8_t *from,
                   const struct instruction_window *taken, unsigned n);

#endif
