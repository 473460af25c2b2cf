/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the waits of call_wait.c and futex.c have in common.
 */
#ifndef DETRUN_SHIM_WAITS_H
#define DETRUN_SHIM_WAITS_H

#include <stdint.h>

struct detrun_task;

/** A wait of this many ns ran out: earlier threads go on first, and the view moves exactly. */
void wait_ran_out(struct detrun_task *t, uint64_t ns);

#endif
