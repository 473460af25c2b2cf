/* SPDX-License-Identifier: MIT */
#include "guest_proc_text.h"
#include "guest_stdio.h"

static int by_symbol(const char *path)
{
    FILE *stream = fopen(path, "r");
    return stream ? fclose(stream) : -1;
}

static void read_text(const char *path, char buf[8192])
{
    FILE *stream = fopen(path, "re");
    CHECK(stream && fcntl(fileno(stream), F_GETFD) == FD_CLOEXEC);
    size_t n = fread(buf, 1, 8191, stream);
    CHECK(!ferror(stream) && fclose(stream) == 0);
    buf[n] = '\0';
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
    check_proc_texts(read_text);
    return guest_end();
}
