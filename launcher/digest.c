/* SPDX-License-Identifier: MIT */
#include "digest.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void put(XXH128_hash_t hash, char text[DIGEST_TEXT])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    for (size_t i = 0; i < sizeof(canonical.digest); i++)
        snprintf(text + 2 * i, 3, "%02x", canonical.digest[i]);
}

void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT])
{
    put(XXH3_128bits(bytes, length), text);
}

static int add_all(XXH3_state_t *state, int fd, uint64_t *length)
{
    char buffer[16384];
    ssize_t n;
    while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
        if (n < 0 && errno != EINTR)
            return -errno;
        if (n < 0)
            continue;
        XXH3_128bits_update(state, buffer, (size_t)n);
        *length += (uint64_t)n;
    }
    return 0;
}

int digest_descriptor(int fd, char text[DIGEST_TEXT], uint64_t *length)
{
    uint64_t read_so_far = 0;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return -ENOMEM;
    XXH3_128bits_reset(state);
    int error = add_all(state, fd, &read_so_far);
    put(XXH3_128bits_digest(state), text);
    XXH3_freeState(state);
    if (length)
        *length = read_so_far;
    return error;
}
