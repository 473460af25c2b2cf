/* SPDX-License-Identifier: MIT */
/**
 * @file
 * How the stubs of arch_x86_64.S lie; for C and assembler.
 */
#ifndef DETRUN_SHIM_SIGNAL_STUBS_H
#define DETRUN_SHIM_SIGNAL_STUBS_H

#define SIGNAL_STUBS     64
#define SIGNAL_STUB_SIZE 16

#endif
