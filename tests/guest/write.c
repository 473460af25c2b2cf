/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_limit.h"

static long one_byte(int fd)
{
    static int calls;
    return calls++ % 2 ? write(fd, "x", 1) : syscall(SYS_write, fd, "x", 1);
}

int main(void)
{
    return check_sender(one_byte);
}
