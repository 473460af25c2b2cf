/* SPDX-License-Identifier: MIT */
/* 100 MB of a random device: by one read, by many, and nothing comes twice. */
#include <fcntl.h>

#include "trap.h"

#define MEGABYTE ((size_t)1 << 20)

int main(void)
{
    static unsigned char bytes[32 << 20];
    static struct block blocks[8192];
    size_t n = 0;
    int fd = open("/dev/urandom", O_RDONLY);
    CHECK(fd >= 0);
    for (int round = 0; round < 3; round++) {
        size_t got = 0;
        while (got < sizeof(bytes)) {
            ssize_t more = read(fd, bytes + got, round ? 4 * MEGABYTE : sizeof(bytes) - got);
            CHECK(more > 0);
            got += (size_t)more;
        }
        CHECK(got == sizeof(bytes));
        /* A block out of each 16 KiB. */
        for (size_t at = 0; at < sizeof(bytes); at += 16384)
            memcpy(&blocks[n++], bytes + at + 64 * (at / 16384 % 16), sizeof(*blocks));
    }
    check_distinct(blocks, n);
    show("blocks", (long long)n);
    return guest_end();
}
