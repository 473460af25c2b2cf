/* SPDX-License-Identifier: MIT */
#include "guest_listen.h"
#include "guest_port.h"

static struct sockaddr_un address;

static long connect_to_it(int fd)
{
    return connect(fd, (struct sockaddr *)&address, sizeof(address));
}

/* Nobody accepts, and there is no more room to wait in. */
static void limits(void)
{
    address = own_address();
    int listener = listening(&address, 0);
    connected(&address);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    check_limits(connect_to_it, fd, SO_SNDTIMEO);
    limit(fd, SO_SNDTIMEO, 3600000000000);
    CHECK(accept(listener, NULL, NULL) >= 0 && connect_to_it(fd) == 0);
}

static void connect_to(int type, int server)
{
    struct sockaddr_in server_address = LOOPBACK(port_of(server));
    int fd = new_socket(type);
    CHECK(connect(fd, (struct sockaddr *)&server_address, sizeof(server_address)) == 0);
    show_port("client", port_of(fd));
    check_range(fd, 0);
}

/* One that is bound keeps its port; one that cannot connect has the kernel's error. */
static void others(int server)
{
    struct sockaddr_in server_address = LOOPBACK(port_of(server));
    struct sockaddr_in any = LOOPBACK(0);
    int fd = new_socket(SOCK_STREAM);
    CHECK(bind(fd, (struct sockaddr *)&any, sizeof(any)) == 0);
    int port = port_of(fd);
    CHECK(connect(fd, (struct sockaddr *)&server_address, sizeof(server_address)) == 0 &&
          port_of(fd) == port);
    FAILS(EISCONN, connect(fd, (struct sockaddr *)&server_address, sizeof(server_address)));
    struct sockaddr_in closed = LOOPBACK(1);
    FAILS(ECONNREFUSED,
          connect(new_socket(SOCK_STREAM), (struct sockaddr *)&closed, sizeof(closed)));
    FAILS(EFAULT, connect(new_socket(SOCK_STREAM), bad_pointer(), sizeof(closed)));
    FAILS(EINVAL, connect(new_socket(SOCK_STREAM), (struct sockaddr *)&closed, 4));
    FAILS(EBADF, connect(-1, (struct sockaddr *)&closed, sizeof(closed)));
}

int main(void)
{
    int server = receiver(SOCK_STREAM);
    int datagrams = receiver(SOCK_DGRAM);
    connect_to(SOCK_STREAM, server);
    connect_to(SOCK_DGRAM, datagrams);
    others(server);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        struct sockaddr_in server_address = LOOPBACK(port_of(server));
        int fd = new_socket(SOCK_STREAM);
        CHECK(by(door, SYS_connect, fd, (long)&server_address, sizeof(server_address)) == 0 &&
              port_of(fd) > 0);
        if (door == BY_SYSCALL)
            show_port("by number", port_of(fd));
    }
    limits();
    return guest_end();
}
