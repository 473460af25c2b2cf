/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The SITE and ENTRY doors: rewritten code of glibc, for what no symbol shows.
 *
 * SITE: `mov $nr,%eax; syscall` becomes a jump in its first five bytes; the syscall instruction
 * stays, so a thread inside it, a restart and a jump straight to it go on working. ENTRY: the first
 * instruction of a function becomes a jump. Both are armed lazily: short-lived programs never pay
 * for the copied pages.
 */
#ifndef DETRUN_SHIM_SITES_H
#define DETRUN_SHIM_SITES_H

#include <stddef.h>
#include <sys/uio.h>

/** Patch the sites of glibc's text, once; call it while there is one thread. */
void sites_arm(void);

/** Patch those of LATE rows, once; any time. Nothing behind a filter that minds. */
void sites_arm_late(void);

/** Patch that of the function getdents64, by which libc lists directories, once; any time. */
void sites_arm_listing(void);

/** Patch that of fstatat, by which libc looks at files itself, once; any time. */
void sites_arm_walk(void);

/** Patch the entries of the read family, once; any time. */
void sites_arm_entries(void);

/** The same of write and writev: whatever libc writes comes by, into the job's trace. */
void sites_arm_writes(void);

/** libc's functions behind the patched entries: -1 with errno set, as read(2) and write(2). */
extern long (*sites_original_read)(int fd, void *buf, size_t len);
extern long (*sites_original_write)(int fd, const void *buf, size_t len);
extern long (*sites_original_writev)(int fd, const struct iovec *parts, int n);

#endif
