/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Streams on random files: stdio reads them inside libc, where no symbol shows it.
 */
#ifndef DETRUN_GUEST_STDIO_H
#define DETRUN_GUEST_STDIO_H

#include "guest_device.h"

static inline void check_stream(FILE *stream)
{
    unsigned char bytes[2][32];
    CHECK(stream);
    for (int i = 0; i < 2; i++) {
        CHECK(fread(bytes[i], 1, 32, stream) == 32);
        show_bytes("stream", bytes[i], 32);
    }
    CHECK(memcmp(bytes[0], bytes[1], 32) != 0);
    show("character", fgetc(stream));
    CHECK(!ferror(stream) && fileno(stream) >= 0);
}

/** Larger than any buffer, so libc reads straight to its place; and without a buffer. */
static inline void check_stream_sizes(FILE *stream)
{
    static unsigned char big[100000];
    CHECK(fread(big, 1, sizeof(big), stream) == sizeof(big));
    show_bytes("big", big + sizeof(big) - 16, 16);
}

static inline void check_uuid_stream(FILE *stream)
{
    char text[64];
    CHECK(stream && fgets(text, sizeof(text), stream) && strlen(text) == 37 && text[14] == '4');
    printf("uuid %s", text);
}

#endif
