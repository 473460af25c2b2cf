/* SPDX-License-Identifier: MIT */
#include "guest_stat.h"

int __fxstat(int version, int fd, struct stat *st);
int __fxstat64(int version, int fd, struct stat64 *st);

static int times(int fd, struct stat *out)
{
    return __fxstat(1, fd, out);
}

static int times_of_twin(int fd, struct stat *out)
{
    return __fxstat64(1, fd, (struct stat64 *)out);
}

/* seed: same */
int main(void)
{
    struct stat st;
    state_of_files(times);
    state_of_files(times_of_twin);
    FAILS(EBADF, __fxstat(1, -1, &st));
    FAILS(EINVAL, __fxstat(7, 1, &st));
    CHECK(__fxstat(0, 1, &st) == 0);
    return guest_end();
}
