/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files that give random bytes: /dev/random, /dev/urandom, /proc/sys/kernel/random/uuid and
 * boot_id. Their descriptors are the kernel's own; only what is read from them is not.
 */
#ifndef DETRUN_SHIM_CALL_FILES_H
#define DETRUN_SHIM_CALL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/** The body of open and openat: a cancellation point, as they are. @return descriptor or -errno */
long files_open(int dir, const char *path, int flags, unsigned mode);

/** Descriptor 0 may be a random device that stdio is about to read: one fstat. */
void files_at_start(void);

/**
 * What libc's own read() jumps to once the ENTRY door is armed: stdio ends there.
 * @return as libc's read: -1 with errno set by the displaced original
 */
long files_entry_read(int fd, void *buf, size_t len);

/** Does this new descriptor give random bytes? path: the name it was opened by, NULL: none. */
bool files_is_random(int fd, const char *path);

/** This descriptor is about to be closed. */
void files_forget(int fd);

/** These bytes were just read from a descriptor that may be a random one: put detrun's in place. */
void files_replace(int fd, const struct iovec parts[2]);

#endif
