/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A listening socket, and the time limits of those who accept and connect.
 */
#ifndef DETRUN_GUEST_LISTEN_H
#define DETRUN_GUEST_LISTEN_H

#include <sys/un.h>

#include "guest_limit.h"

/** Of this process, without a file. */
static inline struct sockaddr_un own_address(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "detrun-guest-%d", (int)getpid());
    return address;
}

static inline int listening(const struct sockaddr_un *address, int backlog)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fd >= 0 && bind(fd, (const struct sockaddr *)address, sizeof(*address)) == 0);
    CHECK(listen(fd, backlog) == 0);
    return fd;
}

static inline int connected(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0);
    return fd;
}

static inline int check_acceptor(limited_call *call)
{
    struct sockaddr_un address = own_address();
    int fd = listening(&address, 4);
    check_limits(call, fd, SO_RCVTIMEO);
    int client = connected(&address);
    long server = call(fd);
    char byte = 0;
    CHECK(server >= 0 && send((int)server, "x", 1, 0) == 1);
    CHECK(recv(client, &byte, 1, 0) == 1 && byte == 'x');
    return guest_end();
}

#endif
