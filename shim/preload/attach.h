/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Where the job memory comes from: the supervisor, or, without one, this process itself.
 */
#ifndef DETRUN_SHIM_ATTACH_H
#define DETRUN_SHIM_ATTACH_H

#include <stdbool.h>

#include "detrun/abi.h"

/**
 * What the shim maps lies far below where the kernel puts mappings: when a program first asks for
 * something, and whether there is a trace, does not move what it maps itself. Where something is
 * there already the kernel chooses. ThreadSanitizer minds places further away.
 */
#define ATTACH_FAR_MARK   0x7f8000000000
#define ATTACH_FAR_MEMORY 0x7f8000010000
#define ATTACH_FAR_TRACE  0x7f9000000000

/**
 * Map the job memory. Supervised: the supervisor's, checked against this shim's layout. Alone
 * (shim.alone is set): memory shared with forks, with a record of this process made from
 * DETRUN_CONTEXT or E2E_SEED.
 * @return NULL when neither can be had
 */
struct detrun_memory *attach_map(uint32_t *index);

/** Give back what attach_map() gave. */
void attach_unmap(struct detrun_memory *m);

/** Alone, is there a seed or a context to start from? */
bool attach_has_seed(void);

/** Write down what the supervisor must know of this image. */
void attach_describe_image(struct detrun_task *process);

#endif
