/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/uio.h>

#include "guest_limit.h"

static long one_byte(int fd)
{
    struct iovec parts[2] = {{NULL, 0}, {(char[]){0}, 1}};
    return writev(fd, parts, 2);
}

int main(void)
{
    return check_sender(one_byte);
}
