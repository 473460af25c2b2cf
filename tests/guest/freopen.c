/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stdio.h"

static int by_symbol(const char *path)
{
    FILE *stream = fopen("/dev/null", "r");
    CHECK(stream != NULL);
    stream = freopen(path, "r", stream);
    return stream ? fclose(stream) : -1;
}

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
    check_proc_paths(by_symbol);
    return guest_end();
}
