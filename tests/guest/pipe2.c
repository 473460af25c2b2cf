/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_pipe.h"

static int by_symbol(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

static int by_number(int ends[2])
{
    return (int)syscall(SYS_pipe2, ends, O_NONBLOCK);
}

int main(void)
{
    int ends[2];
    check_pipes(by_symbol);
    check_pipes(by_number);
    CHECK(pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
    FAILS(EINVAL, pipe2(ends, -1));
    return guest_end();
}
