/* SPDX-License-Identifier: MIT */
#include "guest_stdio.h"

int main(void)
{
    FILE *stream = fopen("/dev/zero", "r");
    CHECK(stream && fgetc(stream) == 0);
    stream = freopen("/dev/urandom", "r", stream);
    check_stream(stream);
    stream = freopen("/dev/zero", "r", stream);
    CHECK(stream && fgetc(stream) == 0);
    CHECK(freopen("/dev/urandom", "r", stdin) == stdin);
    check_stream(stdin);
    errno = 0;
    CHECK(freopen("/nonexistent", "r", stream) == NULL && errno == ENOENT);
    return guest_end();
}
