/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a run left: streams and named files, kept for a comparison with the next run's.
 */
#ifndef DETRUN_TOOLS_ARTIFACT_H
#define DETRUN_TOOLS_ARTIFACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "digest.h"

struct artifact {
    char *bytes; /**< NULL: none */
    size_t length;
    bool missing;
    char digest[DIGEST_TEXT];
};

/** A copy of a file as it is now. @return 0 or -errno; a file that is not there is no error */
int artifact_take(struct artifact *a, const char *path);
int artifact_take_descriptor(struct artifact *a, int fd);
void artifact_free(struct artifact *a);

bool artifact_equal(const struct artifact *a, const struct artifact *b);

/** Where two that differ first do. */
struct difference {
    size_t offset; /**< in bytes, from 0 */
    size_t line;   /**< from 1 */
    char a[128];   /**< that line, for a terminal, cut off where it is longer */
    char b[128];
};

void artifact_difference(const struct artifact *a, const struct artifact *b, struct difference *d);

#endif
