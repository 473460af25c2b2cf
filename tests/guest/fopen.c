/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stdio.h"

static int by_symbol(const char *path)
{
    FILE *stream = fopen(path, "r");
    return stream ? fclose(stream) : -1;
}

int main(void)
{
    FILE *stream = fopen("/dev/urandom", "rb");
    check_stream(stream);
    check_stream_sizes(stream);
    CHECK(fclose(stream) == 0);
    stream = fopen("/dev/urandom", "r");
    CHECK(stream && setvbuf(stream, NULL, _IONBF, 0) == 0);
    check_stream(stream);
    CHECK(fclose(stream) == 0);
    check_uuid_stream(fopen("/proc/sys/kernel/random/uuid", "r"));
    errno = 0;
    CHECK(fopen("/nonexistent", "r") == NULL && errno == ENOENT);
    errno = 0;
    CHECK(fopen("/dev/urandom", "?") == NULL && errno == EINVAL);
    stream = fopen("/dev/zero", "r");
    CHECK(stream && fgetc(stream) == 0 && fclose(stream) == 0);
    check_proc_paths(by_symbol);
    return guest_end();
}
