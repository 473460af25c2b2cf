/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What files of /proc count: work of the machine and of the kernel, which no run repeats. It is
 * shown as nothing.
 */
#ifndef DETRUN_SHIM_COUNTERS_H
#define DETRUN_SHIM_COUNTERS_H

#include "text.h"

/** Every number that stands alone is 0, as an integer or as a fraction. */
void counters_tell(struct text *t, const char *record, size_t n);

/** The same behind the device's numbers and name. */
void counters_tell_disk(struct text *t, const char *record, size_t n);

/** What is left of a task's stat, from the eighth field on; of its status; its statm. */
void counters_tell_stat(struct text *t, const char *rest, size_t n);
bool counters_tell_status(struct text *t, const char *record, size_t n);
void counters_tell_statm(struct text *t, const char *record, size_t n);

/** A mapping: the inode of the job memory is the machine's. */
void counters_tell_pages(struct text *t, const char *record, size_t n);
void counters_tell_mapping(struct text *t, const char *record, size_t n);

#endif
