/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_stat.h"

static int by_symbol(int fd, struct stat *out)
{
    return fstat(fd, out);
}

static int by_twin(int fd, struct stat *out)
{
    return fstat64(fd, (struct stat64 *)out);
}

static int by_number(int fd, struct stat *out)
{
    return (int)syscall(SYS_fstat, fd, out);
}

int main(void)
{
    struct stat st;
    int ends[2];
    state_of_files(by_symbol);
    state_of_files(by_twin);
    state_of_files(by_number);
    FAILS(EBADF, fstat(-1, &st));
    CHECK(pipe(ends) == 0 && fstat(ends[0], &st) == 0 && S_ISFIFO(st.st_mode));
    CHECK(stat_ns(st.st_mtim) <= clock_ns(CLOCK_REALTIME));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_fstat, ends[0], (long)&st) == 0 && S_ISFIFO(st.st_mode));
        CHECK(by(door, SYS_fstat, ends[0], (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_fstat, 999, (long)&st) == -EBADF);
    }
    return guest_end();
}
