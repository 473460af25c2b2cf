/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Holding a thread of another process by ptrace(2).
 */
#ifndef DETRUN_LAUNCHER_TRACEE_H
#define DETRUN_LAUNCHER_TRACEE_H

#include <stdint.h>

struct tracee_stop {
    int event; /**< PTRACE_EVENT_..., 0: none */
    int signal_number;
};

/**
 * Wait until a traced thread stops, two seconds at most.
 * @return 0; -EBUSY: it does not; or -errno
 */
int tracee_await(int32_t tid, struct tracee_stop *stop);

/**
 * Run `body` in a thread that may trace, beside which the caller stands still. Whatever it traces
 * when it returns is let go of: only a stopped tracee can be detached from, but the end of its
 * tracer lets go of any, and hands one that died to its real parent. It has 32 KiB of stack.
 * @return 0 or -errno: it did not run
 */
int tracee_hold(int (*body)(void *of), void *of);

#endif
