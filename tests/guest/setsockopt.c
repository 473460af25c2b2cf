/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_limit.h"

/* A limit that was set by number counts as well. */
static long one_byte(int fd)
{
    char byte;
    return read(fd, &byte, 1);
}

int main(void)
{
    int ends[2];
    struct timeval forty = {.tv_usec = 40000};
    struct timeval bad = {.tv_usec = 1000000};
    socket_pair(ends, false);
    FAILS(EDOM, setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &bad, sizeof(bad)));
    FAILS(EFAULT, setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, bad_pointer(), sizeof(bad)));
    FAILS(EBADF, setsockopt(-1, SOL_SOCKET, SO_RCVTIMEO, &forty, sizeof(forty)));
    CHECK(syscall(SYS_setsockopt, ends[0], SOL_SOCKET, SO_RCVTIMEO, &forty, sizeof(forty)) == 0);
    long long before = clock_ns(CLOCK_MONOTONIC);
    FAILS(EAGAIN, one_byte(ends[0]));
    check_moved(before, 40000000);
    return check_receiver(one_byte);
}
