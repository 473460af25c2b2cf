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
 * The waiter goes on.
 * @param woken  the futex by which somebody woke it: what he handed on arrives; NULL: nobody did
 * @param op     its FUTEX_PRIVATE_FLAG counts
 */
void futex_resume(struct detrun_task *t, const uint32_t *woken, int op);

#endif
