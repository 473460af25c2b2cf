/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the answers about processes and about signals share.
 */
#ifndef DETRUN_LAUNCHER_SUPERVISOR_PID_H
#define DETRUN_LAUNCHER_SUPERVISOR_PID_H

#include "supervisor.h"

/** @return the real id, the same id when it is not virtual, or -ESRCH (counted) */
int32_t pid_real(const struct question *q, int32_t id);
bool pid_is_unknown(int32_t asked, int32_t real);

/**
 * Who asks for its pid may be libc's handler of a signal that threads of one process send each
 * other, about to compare it with the sender's.
 * @return the sender that the kernel named, 0: it is not
 */
int32_t signal_compared(const struct question *q);

#endif
