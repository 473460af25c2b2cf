/* SPDX-License-Identifier: MIT */
#include "guest_fcntl.h"

static long by_symbol(int fd, int command, long argument)
{
    int result = fcntl(fd, command, argument);
    return result == -1 ? -errno : result;
}

static long by_number(int fd, int command, long argument)
{
    return by(BY_SYSCALL, SYS_fcntl, fd, command, argument);
}

int main(void)
{
    check_fcntl(by_symbol);
    check_fcntl(by_number);
    return guest_end();
}
