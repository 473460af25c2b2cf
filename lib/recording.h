/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The captures of a scenario in a file: a line of what it is, a line each, a line that says how
 * many there were. "NAME" is a JSON string; the digest is XXH3's of 128 bits.
 *
 *     detrun-recording 1
 *     capture BYTES DIGEST "NAME"
 *     end 1
 */
#ifndef DETRUN_LIB_RECORDING_H
#define DETRUN_LIB_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/** A recording as it is made. */
struct recording {
    char *path; /**< NULL: none is made */
    struct buffer lines;
    uint64_t count;
};

int recording_start(struct recording *r, const char *path);
void recording_add(struct recording *r, const char *line);

/** Writes the file. @return 0, also where none is made; or a negative errno */
int recording_finish(struct recording *r);

/** A recording that is compared with. */
struct playback {
    char *text;   /**< NULL: nothing is */
    char **lines; /**< of the captures */
    uint64_t count;
    uint64_t compared;
    bool diverged;
    char *seen; /**< JSON name of the capture that differs */
};

int playback_open(struct playback *p, const char *path);
void playback_compare(struct playback *p, const char *line);
void playback_close(struct playback *p);

/** The line of a capture, without its end. */
void recording_line(struct buffer *b, const char *name, const void *data, size_t length);

/** The JSON name in such a line. */
const char *recording_name(const char *line);

#endif
