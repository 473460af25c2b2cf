/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_limit.h"

static long one_byte(int fd)
{
    return sendto(fd, "x", 1, MSG_NOSIGNAL, NULL, 0);
}

int main(void)
{
    return check_sender(one_byte);
}
