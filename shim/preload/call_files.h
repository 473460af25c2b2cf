/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files that give random bytes: /dev/random, /dev/urandom, /proc/sys/kernel/random/uuid and
 * boot_id. Their descriptors are the kernel's own; only what is read from them is not.
 */
#ifndef DETRUN_SHIM_CALL_FILES_H
#define DETRUN_SHIM_CALL_FILES_H

#include <stddef.h>

/** The body of open and openat: a cancellation point, as they are. @return descriptor or -errno */
long files_open(int dir, const char *path, int flags, unsigned mode);

/** Descriptor 0 may be a random device that stdio is about to read: one fstat. */
void files_at_start(void);

/**
 * What libc's own read() jumps to once the ENTRY door is armed: stdio ends there.
 * @return as libc's read: -1 with errno set by the displaced original
 */
long files_entry_read(int fd, void *buf, size_t len);

#endif
