/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_listen.h"

static struct sockaddr_un address;

static long connect_to_it(int fd)
{
    return connect(fd, (struct sockaddr *)&address, sizeof(address));
}

/* Nobody accepts, and there is no more room to wait in. */
int main(void)
{
    address = own_address();
    int listener = listening(&address, 0);
    connected(&address);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    check_limits(connect_to_it, fd, SO_SNDTIMEO);
    limit(fd, SO_SNDTIMEO, 3600000000000);
    CHECK(accept(listener, NULL, NULL) >= 0 && connect_to_it(fd) == 0);
    return guest_end();
}
