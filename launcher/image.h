/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A program that has just been loaded: what its auxiliary vector says, and the patches for one
 * that has no shim.
 */
#ifndef DETRUN_LAUNCHER_IMAGE_H
#define DETRUN_LAUNCHER_IMAGE_H

#include "supervisor.h"

struct image {
    uint64_t random; /**< address of the 16 bytes of AT_RANDOM */
    uint64_t vdso;
    uint64_t interpreter; /**< AT_BASE; 0: static */
    uint64_t secure;
    uint64_t headers;
    uint64_t header_count;
    uint64_t path; /**< address of AT_EXECFN's text, the last one on the stack */
    uint64_t page_size;
    uint64_t user; /**< AT_EUID */
    uint64_t group;
};

/** @return 0 or -errno */
int image_read(int32_t pid, struct image *image);

/** Does LD_PRELOAD name this library? For the image read last. */
bool image_environment_names(int32_t pid, const struct image *image, const char *library);

/** What was executed, as it was named; NULL: not known. For the image read last. */
const char *image_path(const struct image *image);

/**
 * The path by which it was executed, a script's own if it is one; absolute, as the process sees it.
 * For the image read last.
 * @return 0 or -errno
 */
int image_executed_path(int32_t pid, const struct image *image, char *path, size_t room);

/** supervisor_privilege.c: it would natively have got privileges that the filter keeps from it. */
void image_count_privileges(const struct question *q, const struct image *image);

/**
 * Overwrite the guest's vDSO functions so that they enter the kernel, where the filter sees them.
 * The same pages are mapped everywhere, so our own say where the functions are.
 * @return 0 or -errno
 */
int image_patch_vdso(const struct question *q, int mem, uint64_t vdso);

/** Is this a Go program? Its notes say so. *bias: what to add to its link-time addresses. */
bool image_is_go(const struct question *q, const struct image *image, uint64_t *bias);

/**
 * Go seeds its scheduler's and its maps' randomness from the CPU's cycle counter: let that read 0.
 * @return 0 or -errno
 */
int image_patch_go(const struct question *q, int mem, uint64_t bias);

#endif
