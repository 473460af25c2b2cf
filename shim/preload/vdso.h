/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The VDSO door: the kernel's vDSO functions, overwritten in place, lead to the handlers.
 */
#ifndef DETRUN_SHIM_VDSO_H
#define DETRUN_SHIM_VDSO_H

#include <time.h>

/** Call it before a second thread exists. What is refused is counted once a record is there. */
void vdso_take_over(void);

/** clock_gettime() as the vDSO's callers enter it (in call_time.c, beside its twin). */
long vdso_clock_gettime(clockid_t id, struct timespec *ts);

#endif
