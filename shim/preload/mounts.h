/* SPDX-License-Identifier: MIT */
/**
 * @file
 * /proc/PID/mountinfo: it names file systems by the numbers that files show as st_dev.
 */
#ifndef DETRUN_SHIM_MOUNTS_H
#define DETRUN_SHIM_MOUNTS_H

#include "text.h"

void mounts_tell(struct text *t, const char *record, size_t n);

#endif
