/* SPDX-License-Identifier: MIT */
/**
 * @file
 * How long an x86-64 instruction is, and what of it depends on where it stands. Source: Intel 64
 * and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.
 */
#ifndef DETRUN_CORE_X86_H
#define DETRUN_CORE_X86_H

#include <stdbool.h>
#include <stdint.h>

#define X86_MAX_LENGTH 15

/** Opcode maps: one byte, 0F, 0F 38, 0F 3A, and those of EVEX only. */
enum x86_map { X86_ONE_BYTE, X86_0F, X86_0F38, X86_0F3A, X86_MAP5 = 5, X86_MAP6 };

struct x86 {
    uint8_t length; /**< bytes */
    uint8_t map;    /**< enum x86_map */
    uint8_t opcode;
    uint8_t modrm;        /**< 0: it has none, or that is 0 */
    uint8_t rex;          /**< 0: none */
    bool operand16;       /**< prefix 66 */
    bool repeat;          /**< prefix F2 or F3 */
    uint8_t displacement; /**< where its 4 bytes relative to %rip begin; 0: none */
    uint8_t branch;       /**< where the distance of a relative branch begins; 0: none */
    uint8_t branch_size;  /**< 1 or 4 bytes, which end the instruction */
};

/**
 * Decode the instruction at `code`, of which `room` bytes may be read.
 * @return false: none in 64-bit mode, not known, or it does not end within the room
 */
bool x86_decode(const uint8_t *code, uint64_t room, struct x86 *instruction);

/** Where a relative branch at `address` goes. Only with a branch. */
uint64_t x86_target(const uint8_t *code, uint64_t address, const struct x86 *instruction);

/** Does the one behind it come next, and nothing else; and does it mean the same elsewhere, once
 * its displacement has been put right? */
bool x86_is_movable(const struct x86 *instruction);

/** ret: movable as the last one. */
bool x86_is_return(const struct x86 *instruction);

/** jmp by a register or memory: of a switch, perhaps. */
bool x86_is_indirect_jump(const struct x86 *instruction);

#endif
