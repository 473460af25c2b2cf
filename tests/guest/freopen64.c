/* SPDX-License-Identifier: MIT */
#include "guest_stdio.h"

int main(void)
{
    FILE *stream = fopen("/dev/zero", "r");
    CHECK(stream && fgetc(stream) == 0);
    stream = freopen64("/dev/urandom", "r", stream);
    check_stream(stream);
    stream = freopen64("/dev/zero", "r", stream);
    CHECK(stream && fgetc(stream) == 0);
    CHECK(freopen64("/dev/urandom", "r", stdin) == stdin);
    check_stream(stdin);
    errno = 0;
    CHECK(freopen64("/nonexistent", "r", stream) == NULL && errno == ENOENT);
    return guest_end();
}
