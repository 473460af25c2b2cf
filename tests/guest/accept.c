/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_listen.h"

static long one_client(int fd)
{
    struct sockaddr_un client;
    socklen_t size = sizeof(client);
    return accept(fd, (struct sockaddr *)&client, &size);
}

int main(void)
{
    return check_acceptor(one_client);
}
