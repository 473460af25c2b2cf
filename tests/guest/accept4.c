/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_listen.h"

static long one_client(int fd)
{
    long client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    CHECK(client < 0 || fcntl((int)client, F_GETFD) == FD_CLOEXEC);
    return client;
}

int main(void)
{
    return check_acceptor(one_client);
}
