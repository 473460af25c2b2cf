/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <sodium/crypto_auth_hmacsha256.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "detrun.h"

#define MESSAGE "detrun:uuid:v1:%" PRIu64

static void mix(const char *seed, uint64_t index, uint8_t digest[crypto_auth_hmacsha256_BYTES])
{
    char message[48];
    int n = snprintf(message, sizeof(message), MESSAGE, index);
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, (const uint8_t *)seed, strlen(seed));
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)message, (unsigned long long)n);
    crypto_auth_hmacsha256_final(&state, digest);
}

static int draw(uint8_t *bytes, size_t n)
{
    for (;;) {
        ssize_t got = getrandom(bytes, n, 0);
        if (got == (ssize_t)n)
            return 0;
        if (got < 0 && errno != EINTR)
            return -errno;
    }
}

int detrun_uuid(const char *seed, uint64_t index, char *uuid)
{
    uint8_t b[crypto_auth_hmacsha256_BYTES];
    int error = uuid ? 0 : -EINVAL;
    if (!error && seed)
        mix(seed, index, b);
    else if (!error)
        error = draw(b, 16);
    if (error)
        return error;
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    for (int i = 0; i < 16; i++)
        uuid += snprintf(uuid, 4, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", b[i]);
    return 0;
}
