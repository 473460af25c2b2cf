/* SPDX-License-Identifier: MIT */
#include "guest_stdio.h"

int main(void)
{
    FILE *stream = fopen64("/dev/urandom", "rb");
    check_stream(stream);
    check_stream_sizes(stream);
    CHECK(fclose(stream) == 0);
    stream = fopen64("/dev/urandom", "r");
    CHECK(stream && setvbuf(stream, NULL, _IONBF, 0) == 0);
    check_stream(stream);
    CHECK(fclose(stream) == 0);
    check_uuid_stream(fopen64("/proc/sys/kernel/random/uuid", "r"));
    errno = 0;
    CHECK(fopen64("/nonexistent", "r") == NULL && errno == ENOENT);
    errno = 0;
    CHECK(fopen64("/dev/urandom", "?") == NULL && errno == EINVAL);
    stream = fopen64("/dev/zero", "r");
    CHECK(stream && fgetc(stream) == 0 && fclose(stream) == 0);
    return guest_end();
}
