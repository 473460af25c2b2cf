/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Where the kernel would say EFAULT, a handler must not crash: how much of a buffer may be written.
 */
#ifndef DETRUN_SHIM_REACH_H
#define DETRUN_SHIM_REACH_H

#include <stdbool.h>
#include <stddef.h>

/**
 * The page last found good is remembered by each thread, so a stack buffer costs a comparison; any
 * other costs one mincore(2) a page, whose answer byte is written into it. Not asked in a process
 * with a seccomp filter of its own, which may kill it for an unexpected call.
 * @return bytes from buf on that may be written, at most len
 */
size_t reach_writable(void *buf, size_t len);

/** May these bytes be read? Asked of the kernel by a futex(2) that cannot wait, page by page. */
bool reach_readable(const void *buf, size_t len);

#endif
