/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Numbers of rows of calls.def that the headers of older kernels are without.
 */
#ifndef DETRUN_CALLS_NUMBERS_H
#define DETRUN_CALLS_NUMBERS_H

#include <sys/syscall.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait 455
#endif

#endif
