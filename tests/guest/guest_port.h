/* SPDX-License-Identifier: MIT */
/* Sockets on the loopback address, and the ports that they are given. */
#ifndef DETRUN_GUEST_PORT_H
#define DETRUN_GUEST_PORT_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "guest.h"

#define LOOPBACK(port)                                                                             \
    ((struct sockaddr_in){.sin_family = AF_INET,                                                   \
                          .sin_port = htons((uint16_t)(port)),                                     \
                          .sin_addr.s_addr = htonl(INADDR_LOOPBACK)})

static inline int new_socket(int type)
{
    int fd = socket(AF_INET, type, 0);
    CHECK(fd >= 0);
    return fd;
}

static inline int port_of(int fd)
{
    struct sockaddr_in own;
    socklen_t size = sizeof(own);
    CHECK(getsockname(fd, (struct sockaddr *)&own, &size) == 0);
    return ntohs(own.sin_port);
}

/** Are ports given by this door detrun's? */
static inline void show_port(const char *what, int port)
{
    CHECK(port >= 1024);
    if (under_detrun())
        CHECK(port >= 32768 && port <= 60999);
    show(what, under_detrun() ? port : 0);
}

/** What the call narrowed for its time is as wide as before. */
static inline void check_range(int fd, uint32_t kept)
{
    uint32_t range = 0;
    socklen_t size = sizeof(range);
    if (getsockopt(fd, IPPROTO_IP, 51 /* IP_LOCAL_PORT_RANGE */, &range, &size) == 0)
        CHECK(range == kept);
}

/** A socket of this type on a port of its own that takes what comes. */
static inline int receiver(int type)
{
    int fd = new_socket(type);
    struct sockaddr_in any = LOOPBACK(0);
    CHECK(bind(fd, (struct sockaddr *)&any, sizeof(any)) == 0);
    if (type == SOCK_STREAM)
        CHECK(listen(fd, 64) == 0);
    return fd;
}

#endif
