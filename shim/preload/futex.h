/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the calls that wait for futexes share.
 */
#ifndef DETRUN_SHIM_FUTEX_H
#define DETRUN_SHIM_FUTEX_H

#include <stdint.h>

struct detrun_task;

/**
 * Somebody woke the waiter: what he handed on arrives.
 * @param op  its FUTEX_PRIVATE_FLAG counts
 */
void futex_take_over(struct detrun_task *t, const uint32_t *word, int op);

#endif
