/* SPDX-License-Identifier: MIT */
/*
 * Calls that give a socket its port. connect and sendto have time limits, too: call_limited.c.
 */
#include <netinet/in.h>

#include "calls.h"
#include "network.h"
#include "poison.h"
#include "ports.h"
#include "raw.h"
#include "reach.h"
#include "task.h"

/* Which the supervisor will say, and count. */
static bool is_too_far(const struct sockaddr *address, socklen_t len)
{
    enum network network = task_self() ? (enum network)shim.memory->params.network : NETWORK_HOST;
    size_t n = len < NETWORK_ADDRESS ? len : NETWORK_ADDRESS;
    return network != NETWORK_HOST && reach_readable(address, n) &&
           network_refuses(network, address, n);
}

/* Where the job may not bind to every address the supervisor decides. */
static long bound(int fd, const struct sockaddr *address, socklen_t len)
{
    bool decided = task_self() && shim.memory->params.network == NETWORK_HOST;
    return raw6(SYS_bind, fd, (long)address, len, 0, 0, decided ? (long)DETRUN_PASS : 0);
}

long call_bind(int fd, const struct sockaddr *address, socklen_t len)
{
    struct ports p = {0};
    if (ports_is_inet(address, len) &&
        ((const struct sockaddr_in *)(const void *)address)->sin_port == 0 &&
        !is_too_far(address, len))
        p = ports_begin(fd);
    long result;
    do
        result = bound(fd, address, len);
    while (ports_again(&p, result));
    return ports_end(&p, result);
}

long libc_bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t len)
{
    return call_bind(fd, address.__sockaddr__, len);
}

long call_listen(int fd, int backlog)
{
    struct ports p = ports_begin(fd);
    long result;
    do
        result = raw3(SYS_listen, fd, backlog, 0);
    while (ports_again(&p, result));
    return ports_end(&p, result);
}

long call_connect(int fd, const struct sockaddr *address, socklen_t len)
{
    return libc_connect(fd, (__CONST_SOCKADDR_ARG){.__sockaddr__ = address}, len);
}

long call_sendto(int fd, const void *buf, size_t len, int flags, const struct sockaddr *address,
                 socklen_t address_len)
{
    return libc_sendto(fd, buf, len, flags, (__CONST_SOCKADDR_ARG){.__sockaddr__ = address},
                       address_len);
}
