/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Ports that a program leaves to the system: see core/port.h. For a call that gives an unbound
 * socket its port:
 *
 *     struct ports p = ports_begin(fd);
 *     do
 *         result = the call;
 *     while (ports_again(&p, result));
 *     return ports_end(&p, result);
 */
#ifndef DETRUN_SHIM_PORTS_H
#define DETRUN_SHIM_PORTS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "port.h"

struct ports {
    struct detrun_task *task; /**< NULL: the kernel gives the port, or there is none to give */
    int fd;
    unsigned tries;
    uint32_t draw;
    uint32_t kept; /**< the socket's own range */
    struct port_range range;
};

struct ports ports_begin(int fd);

/** Does an address of this size name another host, or port, by the internet's protocols? */
bool ports_is_inet(const struct sockaddr *address, socklen_t len);

/** The port was in use: once more, with the next one. */
bool ports_again(struct ports *p, long result);

/** @return result */
long ports_end(const struct ports *p, long result);

#endif
