/* SPDX-License-Identifier: MIT */
#include <sys/un.h>

#include "guest_port.h"

static void by_number(enum door door)
{
    struct sockaddr_in6 any6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr_in any = LOOPBACK(0);
    int fd = new_socket(SOCK_STREAM);
    CHECK(by(door, SYS_bind, fd, (long)&any, sizeof(any)) == 0);
    CHECK(port_of(fd) > 0);
    if (door == BY_SYSCALL)
        show_port("by number", port_of(fd));
    CHECK(by(door, SYS_bind, fd, (long)&any, sizeof(any)) == -EINVAL);
    int six = socket(AF_INET6, SOCK_STREAM, 0);
    if (six >= 0 && by(door, SYS_bind, six, (long)&any6, sizeof(any6)) == 0)
        CHECK(port_of(six) > 0);
    CHECK(by(door, SYS_bind, new_socket(SOCK_STREAM), (long)bad_pointer(), sizeof(any)) == -EFAULT);
    CHECK(by(door, SYS_bind, -1, (long)&any, sizeof(any)) == -EBADF);
}

static void bind_one(int type)
{
    struct sockaddr_in any = LOOPBACK(0);
    int fd = new_socket(type);
    CHECK(bind(fd, (struct sockaddr *)&any, sizeof(any)) == 0);
    show_port("port", port_of(fd));
    check_range(fd, 0);

    struct sockaddr_in taken = LOOPBACK(port_of(fd));
    FAILS(EADDRINUSE, bind(new_socket(type), (struct sockaddr *)&taken, sizeof(taken)));
}

/* A range of the program's own stays one. */
static void own_range(void)
{
    uint32_t range = 50100U << 16 | 50001;
    struct sockaddr_in any = LOOPBACK(0);
    int fd = new_socket(SOCK_STREAM);
    if (setsockopt(fd, IPPROTO_IP, 51, &range, sizeof(range)) != 0)
        return;
    CHECK(bind(fd, (struct sockaddr *)&any, sizeof(any)) == 0);
    CHECK(port_of(fd) >= 50001 && port_of(fd) <= 50100);
    check_range(fd, range);
}

int main(void)
{
    struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000201)};
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    bind_one(SOCK_STREAM);
    bind_one(SOCK_DGRAM);
    FAILS(EADDRNOTAVAIL, bind(new_socket(SOCK_STREAM), (struct sockaddr *)&nobody, sizeof(nobody)));
    FAILS(EINVAL, bind(new_socket(SOCK_STREAM), (struct sockaddr *)&nobody, 3));
    CHECK(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name,
               sizeof(name.sun_family)) == 0);
    own_range();
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        by_number(door);
    return guest_end();
}
