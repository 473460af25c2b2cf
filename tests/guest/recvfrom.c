/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_limit.h"

static long one_byte(int fd)
{
    char byte;
    return recvfrom(fd, &byte, 1, 0, NULL, NULL);
}

int main(void)
{
    return check_receiver(one_byte);
}
