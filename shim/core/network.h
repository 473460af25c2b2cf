/* SPDX-License-Identifier: MIT */
/**
 * @file
 * How far a job may reach by sockets: --network.
 */
#ifndef DETRUN_CORE_NETWORK_H
#define DETRUN_CORE_NETWORK_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

enum network {
    NETWORK_HOST,  /**< as the machine */
    NETWORK_LOCAL, /**< no further than the machine */
    NETWORK_NONE,  /**< sockets with names in the file system alone */
    NETWORKS
};

#define NETWORK_ADDRESS sizeof(struct sockaddr_in6) /**< bytes that are looked at */

/* 127.0.0.0/8; and 0.0.0.0, which stands for it where one connects to it. */
static inline bool network_is_near(uint32_t address)
{
    return address == INADDR_ANY || ntohl(address) >> 24 == IN_LOOPBACKNET;
}

static inline bool network_is_near6(const struct in6_addr *address)
{
    uint32_t mapped;
    memcpy(&mapped, address->s6_addr + 12, sizeof(mapped));
    return IN6_IS_ADDR_LOOPBACK(address) || IN6_IS_ADDR_UNSPECIFIED(address) ||
           (IN6_IS_ADDR_V4MAPPED(address) && network_is_near(mapped));
}

/**
 * Does an address lead further than a job may reach? One that is too short is the kernel's to
 * refuse. AF_UNSPEC ends a connection, but a datagram goes where AF_INET would have it go.
 * @param len  bytes of the address, as the program says
 */
static inline bool network_refuses(enum network network, const void *address, size_t len)
{
    struct sockaddr_in6 to;
    struct sockaddr_in to4;
    memset(&to, 0, sizeof(to));
    memcpy(&to, address, len < sizeof(to) ? len : sizeof(to));
    memcpy(&to4, &to, sizeof(to4));
    if (network == NETWORK_HOST || len < sizeof(sa_family_t))
        return false;
    switch (to.sin6_family) {
    case AF_UNIX:
    case AF_NETLINK:
    case AF_ALG:
        return false;
    case AF_UNSPEC:
        return to4.sin_addr.s_addr != INADDR_ANY &&
               (network == NETWORK_NONE || !network_is_near(to4.sin_addr.s_addr));
    case AF_INET:
        return network == NETWORK_NONE || !network_is_near(to4.sin_addr.s_addr);
    case AF_INET6:
        return network == NETWORK_NONE || !network_is_near6(&to.sin6_addr);
    default:
        return true;
    }
}

#endif
