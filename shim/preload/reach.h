/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Where the kernel would say EFAULT, a handler must not crash: how much of a buffer may be written.
 */
#ifndef DETRUN_SHIM_REACH_H
#define DETRUN_SHIM_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REACH_PAGE UINT64_C(4096)

extern __thread uintptr_t reach_good_page;

/** The slow half of reach_writable(). */
size_t reach_probe(void *buf, size_t len);

/**
 * The page last found good is remembered by each thread, so a stack buffer costs a comparison; any
 * other costs one mincore(2) a page, whose answer byte is written into it. Not asked in a process
 * with a seccomp filter of its own, which may kill it for an unexpected call.
 * @return bytes from buf on that may be written, at most len
 */
static inline size_t reach_writable(void *buf, size_t len)
{
    uintptr_t start = (uintptr_t)buf;
    uintptr_t page = start / REACH_PAGE;
    bool known =
        page != 0 && page == reach_good_page && (start + len - 1) / REACH_PAGE == reach_good_page;
    return known ? len : reach_probe(buf, len);
}

/** May these bytes be read? Asked of the kernel by a futex(2) that cannot wait, page by page. */
bool reach_readable(const void *buf, size_t len);

#endif
