/* SPDX-License-Identifier: MIT */
#include "guest_limit.h"
#include "guest_port.h"

static long one_byte(int fd)
{
    return sendto(fd, "x", 1, MSG_NOSIGNAL, NULL, 0);
}

/* @return the sender's port, as the receiver is told it */
static int sender(int fd)
{
    char byte;
    struct sockaddr_in from;
    socklen_t size = sizeof(from);
    CHECK(recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&from, &size) == 1 && byte == 'x');
    return ntohs(from.sin_port);
}

int main(void)
{
    int server = receiver(SOCK_DGRAM);
    struct sockaddr_in address = LOOPBACK(port_of(server));
    int fd = new_socket(SOCK_DGRAM);
    CHECK(sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)) == 1);
    int port = sender(server);
    show_port("sender", port);
    CHECK(sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)) == 1);
    CHECK(sender(server) == port && port_of(fd) == port);
    check_range(fd, 0);
    FAILS(EDESTADDRREQ, sendto(new_socket(SOCK_DGRAM), "x", 1, 0, NULL, 0));
    FAILS(EFAULT, sendto(fd, "x", 1, 0, bad_pointer(), sizeof(address)));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        fd = new_socket(SOCK_DGRAM);
        CHECK(by(door, SYS_sendto, fd, (long)"x", 1, 0, (long)&address, sizeof(address)) == 1);
        CHECK(sender(server) == port_of(fd));
        if (door == BY_SYSCALL)
            show_port("by number", port_of(fd));
    }
    return check_sender(one_byte);
}
