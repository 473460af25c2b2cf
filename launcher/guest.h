/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The memory of a guest whose thread is held in a notification.
 *
 * All return 0 or -errno. -EFAULT means what it means to the guest: the address is bad. Others
 * (EPERM, ESRCH) mean that we may not or can no longer look.
 */
#ifndef DETRUN_LAUNCHER_GUEST_H
#define DETRUN_LAUNCHER_GUEST_H

#include <stddef.h>
#include <stdint.h>

#include "supervisor.h"

int guest_read(int32_t tid, uint64_t address, void *buf, size_t len);

/** Checks that the request still stands before it writes. */
/** Likewise, as far as the memory reaches. @return bytes written or -errno */
long guest_write_some(const struct question *q, uint64_t address, const void *buf, size_t len);
int guest_write(const struct question *q, uint64_t address, const void *buf, size_t len);

/** Of a thread that is stopped: all zero, unless that is not to be written. */
void guest_clear(int32_t tid, uint64_t address, size_t len);

/** Reads up to the end of the page at most. @return bytes read or -errno */
long guest_read_some(int32_t tid, uint64_t address, void *buf, size_t len);

/** Over read-only text: through /proc/<tid>/mem. */
int guest_patch(const struct question *q, int mem, uint64_t address, const void *buf, size_t len);

/** @return a descriptor of /proc/<tid>/mem or -errno; the request was valid after opening. */
int guest_open_memory(const struct question *q);

/** A text with its end. @return its length, -ENAMETOOLONG or what guest_read says */
long guest_read_text(int32_t tid, uint64_t address, char *text, size_t room);

/** A copy of a descriptor of this process's, pidfd_getfd(2). @return its number or -errno */
int guest_copy_descriptor(int32_t pid, int fd);

/** A small file under /proc/<tid>/. @return bytes read or -errno */
long guest_read_file(int32_t tid, const char *name, void *buf, size_t len);

#endif
