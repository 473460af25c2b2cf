/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Ids of CPU clocks have a pid in them.
 */
#ifndef DETRUN_SHIM_CPU_CLOCK_H
#define DETRUN_SHIM_CPU_CLOCK_H

#include "clock_id.h"

/** @return the id that the kernel takes for this one; ids that name nobody stay. */
clockid_t cpu_clock_in(clockid_t id);

/** Does the kernel know whom this id names, and may the caller read that clock? */
bool cpu_clock_is_known(clockid_t id);

#endif
