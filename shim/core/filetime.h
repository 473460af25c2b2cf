/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Times of files as a job sees them: a map of the times that the kernel keeps, the same for every
 * task and, until the shift doubles (once in years), for every job with one epoch.
 *
 *     up to a first time          as they are
 *     from there to the epoch     squeezed into the 17th part before what follows
 *     the epoch and later         the shift earlier: whole days, a power of two
 *     epoch + shift and later     as they are: nothing the job writes gets there
 *
 * So no file that exists or is written is later than any clock of the job, order stays, and what is
 * written at distances of a second keeps them: Python knows a changed source by its second. Where
 * the epoch is too close to 1970 for a shift, all is squeezed between the two.
 */
#ifndef DETRUN_CORE_FILETIME_H
#define DETRUN_CORE_FILETIME_H

#include "detrun/abi.h"

#define FILETIME_DAY    (INT64_C(86400) * 1000000000)
/** The longest that a job is expected to run. */
#define FILETIME_MARGIN FILETIME_DAY

/**
 * Fill in file_start_ns and file_shift_ns from epoch_ns.
 * @param start_ns  the real time at which the job starts, of the clock that stamps files
 */
void filetime_choose_shift(struct detrun_params *params, int64_t start_ns);

/**
 * @param ns          a time of a file
 * @param changed_ns  when its inode last changed: a file that the job has changed and whose time is
 *                    earlier than that was given this time by the job, and shows it
 * @param now_ns      the reader's wall clock
 * @param written_ns  what a time that the kernel set since the job began is shown as, unless it is
 *                    later than now; FILETIME_MOVED: as any other time
 */
int64_t filetime_shown(const struct detrun_params *params, int64_t ns, int64_t changed_ns,
                       int64_t now_ns, int64_t written_ns);
#define FILETIME_MOVED INT64_MIN

#endif
