/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Who sent a signal: the kernel's number becomes the virtual pid.
 */
#ifndef DETRUN_SHIM_SIGNALS_H
#define DETRUN_SHIM_SIGNALS_H

#include <signal.h>
#include <sys/uio.h>

/**
 * In place, where the code says that there is a sender: of kill, sigqueue and their relatives, and
 * of a child (whose CPU time goes too). All others have something else in those bytes. Any context.
 */
void signals_translate(siginfo_t *info);

/** The same for what was read from a signalfd, in one piece or in parts; size may be an error. */
void signals_translate_records(void *records, long size);
void signals_translate_parts(const struct iovec *parts, int n, long size);

#endif
