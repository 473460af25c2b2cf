/* SPDX-License-Identifier: MIT */
/**
 * @file
 * rdtsc, rdtscp, rdrand and rdseed in a program's code: where they stand, and which bytes around
 * each may be replaced by a jump. Bytes that only look like one (in data, within another
 * instruction) are not among them: each is reached from the start of its function, instruction by
 * instruction, the function is understood to its end, and where more than the one instruction is
 * replaced nothing in the object jumps between them.
 */
#ifndef DETRUN_CORE_INSTRUCTIONS_H
#define DETRUN_CORE_INSTRUCTIONS_H

#include "x86.h"

enum instruction_kind {
    INSTRUCTION_NONE,
    INSTRUCTION_RDTSC,
    INSTRUCTION_RDTSCP,
    INSTRUCTION_RANDOM, /**< rdrand or rdseed */
};

/** A jump's length: windows without a pad are at least as long. */
#define INSTRUCTIONS_JUMP       5
/** Where a window's code is to be moved to, at most so long: INSTRUCTIONS_JUMP - 1 bytes before the
 * last one, and that. */
#define INSTRUCTIONS_WINDOW_MAX (INSTRUCTIONS_JUMP - 1 + X86_MAX_LENGTH)

/** Whole instructions, one of them the one that is meant. Offsets from the start of the text. With
 * a pad the window is that one alone, of two bytes or more: it becomes a short jump to the pad, and
 * that a jump. */
struct instruction_window {
    uint32_t start;
    uint32_t pad;   /**< 0: none */
    uint8_t length; /**< bytes */
    uint8_t site;   /**< offset in the window of the one that is meant */
};

/** One executable segment. */
struct instruction_text {
    const uint8_t *start;
    uint64_t size;           /**< bytes, less than 4 GiB */
    const uint8_t *eh_frame; /**< .eh_frame_hdr of the object; NULL: none, and nothing is found */
};

/** What a decoded instruction is. */
enum instruction_kind instructions_kind(const struct x86 *instruction);

/**
 * Find the windows of a text, in the order of their places.
 * @return how many, `room` at most
 */
unsigned instructions_find(const struct instruction_text *text, struct instruction_window *windows,
                           unsigned room);

#endif
