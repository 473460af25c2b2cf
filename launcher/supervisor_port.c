/* SPDX-License-Identifier: MIT */
/*
 * Ports of images without the shim: the supervisor binds its copy of the socket. Those that
 * connections take there are the kernel's.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "lineage.h"
#include "port.h"
#include "supervisor.h"

static struct port_range range_here(void)
{
    char text[32];
    AUTO_CLOSE int fd = open(PORT_DEFAULTS, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));
    return n > 0 ? port_range_read(text, (size_t)n) : port_range_default();
}

/* One attempt. @return 0 or -errno, as bind(2) */
static long bind_to(int fd, uint32_t option, const void *address, socklen_t len)
{
    if (setsockopt(fd, IPPROTO_IP, PORT_OPTION, &option, sizeof(option)) != 0)
        return -ENOPROTOOPT;
    return bind(fd, address, len) == 0 ? 0 : -errno;
}

static long bind_somewhere(const struct question *q, int fd, const void *address, socklen_t len)
{
    uint32_t kept = 0;
    socklen_t size = sizeof(kept);
    (void)getsockopt(fd, IPPROTO_IP, PORT_OPTION, &kept, &size);
    struct port_range range = port_range_own(kept, range_here());
    uint32_t draw = port_draw(q->m, q->task);
    unsigned tries = 0;
    long result;
    do
        result = bind_to(fd, port_option(draw, tries, range), address, len);
    while (result == -EADDRINUSE && ++tries < PORT_TRIES);
    (void)setsockopt(fd, IPPROTO_IP, PORT_OPTION, &kept, sizeof(kept));
    for (unsigned i = 0; i < tries; i++)
        supervisor_gap(q, DETRUN_GAP_PORT_SKIPPED);
    return result;
}

/* Is the port of this address left to the system? */
static bool is_open(const struct sockaddr_in6 *address, uint64_t len)
{
    return len >= sizeof(struct sockaddr_in) && len <= sizeof(struct sockaddr_storage) &&
           (address->sin6_family == AF_INET || address->sin6_family == AF_INET6) &&
           address->sin6_port == 0;
}

long answer_bind(struct question *q)
{
    union {
        struct sockaddr_in6 in6;
        struct sockaddr_storage all;
    } address;
    if (network_refuses_bind(q))
        return network_refused_bind(q);
    memset(&address, 0, sizeof(address));
    size_t n = q->args[2] < sizeof(address) ? (size_t)q->args[2] : sizeof(address);
    if (supervisor_is_real(q, DETRUN_PORTS) || supervisor_has_shim(q) ||
        guest_read((int32_t)q->request->pid, q->args[1], &address, n) != 0 ||
        !is_open(&address.in6, q->args[2]))
        return ANSWER_CONTINUE;
    AUTO_CLOSE int fd = guest_copy_descriptor((int32_t)q->request->pid, (int)q->args[0]);
    long result = fd < 0 ? -EPERM : bind_somewhere(q, fd, &address, (socklen_t)n);
    if (fd >= 0 && result != -ENOPROTOOPT && result != -EADDRINUSE)
        return result;
    supervisor_gap(q, DETRUN_GAP_PORT_KERNEL);
    return ANSWER_CONTINUE;
}
