/* SPDX-License-Identifier: MIT */
/**
 * @file
 * XXH3-128 as 32 hexadecimal digits, the high half first: XXH128_canonicalFromHash().
 */
#ifndef DETRUN_LAUNCHER_DIGEST_H
#define DETRUN_LAUNCHER_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_TEXT 33

void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT]);

/** All that can still be read. @param length  how much that was; may be NULL. @return 0 or -errno
 */
int digest_descriptor(int fd, char text[DIGEST_TEXT], uint64_t *length);

#endif
