/* SPDX-License-Identifier: MIT */
#include "guest_stdio.h"

int main(void)
{
    FILE *stream = fdopen(device_open("/dev/urandom"), "r");
    check_stream(stream);
    CHECK(fclose(stream) == 0);
    check_uuid_stream(fdopen(device_open("/proc/sys/kernel/random/uuid"), "r"));
    errno = 0;
    CHECK(fdopen(-1, "r") == NULL && errno == EBADF);
    errno = 0;
    CHECK(fdopen(0, "?") == NULL && errno == EINVAL);
    return guest_end();
}
