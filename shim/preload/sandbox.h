/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A seccomp filter of the program's own. If it lets all calls pass that the shim makes by itself,
 * nothing changes. Else the shim does without them (shim.sandboxed), and images started from here
 * go without the shim, whose start would need them: the supervisor answers those.
 */
#ifndef DETRUN_SHIM_SANDBOX_H
#define DETRUN_SHIM_SANDBOX_H

#include <stdbool.h>

#include "calls.h"

/** seccomp(2), with the shim made ready for what is behind it. @return its result */
long sandbox_seccomp(unsigned operation, unsigned flags, void *arguments);

/** prctl(PR_SET_SECCOMP), likewise. */
long sandbox_prctl(unsigned long mode, void *filter);

#endif
