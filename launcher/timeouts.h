/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The calls in which threads wait for a time, and how the kernel is made to say that it has come.
 */
#ifndef DETRUN_LAUNCHER_TIMEOUTS_H
#define DETRUN_LAUNCHER_TIMEOUTS_H

#include "sleepers.h"

/**
 * Is it in a call that its wait may be? A handler may have jumped out of the wait, or an event have
 * ended it in an image that does not tell. Also where that cannot be known.
 */
bool timeouts_is_waiting(const struct sleeper *sleeper);

/** End the call it is in. @return false: it may not be reached, now and later */
bool timeouts_end(const struct sleeper *sleeper);

#endif
