/* SPDX-License-Identifier: MIT */
#include "guest_port.h"

int main(void)
{
    int fd = new_socket(SOCK_STREAM);
    CHECK(listen(fd, 4) == 0);
    show_port("unbound", port_of(fd));
    int port = port_of(fd);
    CHECK(listen(fd, 8) == 0 && port_of(fd) == port);
    check_range(fd, 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        fd = new_socket(SOCK_STREAM);
        CHECK(by(door, SYS_listen, fd, 4) == 0 && port_of(fd) > 0);
        CHECK(by(door, SYS_listen, new_socket(SOCK_DGRAM), 4) == -EOPNOTSUPP);
        CHECK(by(door, SYS_listen, -1, 4) == -EBADF);
        if (door == BY_SYSCALL)
            show_port("by number", port_of(fd));
    }
    return guest_end();
}
