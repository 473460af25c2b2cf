/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_pipe.h"

static int by_number(int ends[2])
{
    return (int)syscall(SYS_pipe, ends);
}

int main(void)
{
    check_pipes(pipe);
    check_pipes(by_number);
    return guest_end();
}
