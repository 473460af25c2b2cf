/* SPDX-License-Identifier: MIT */
#include "ports.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>

#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "task.h"

/* What of an address is looked at; AF_INET's is the shortest, and begins alike. */
#define LEAST sizeof(struct sockaddr_in)

static struct port_range read_range(void)
{
    char text[32];
    int fd = (int)raw4(SYS_openat, AT_FDCWD, (long)PORT_DEFAULTS, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return port_range_default();
    long n = raw3(SYS_read, fd, (long)text, sizeof(text));
    raw3(SYS_close, fd, 0, 0);
    return port_range_read(text, n > 0 ? (size_t)n : 0);
}

/* Found out once; two threads find the same. */
static struct port_range range_here(void)
{
    static uint32_t known;
    uint32_t range = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (range == 0) {
        struct port_range found = read_range();
        range = found.last << 16 | found.first;
        __atomic_store_n(&known, range, __ATOMIC_RELAXED);
    }
    return (struct port_range){range & 0xffff, range >> 16};
}

/* An internet socket without a port. Both kinds of address begin alike. */
static bool is_unbound(int fd)
{
    struct sockaddr_in6 own = {.sin6_family = AF_UNSPEC};
    socklen_t size = sizeof(own);
    return raw3(SYS_getsockname, fd, (long)&own, (long)&size) == 0 &&
           (own.sin6_family == AF_INET || own.sin6_family == AF_INET6) && own.sin6_port == 0;
}

static bool narrow(const struct ports *p, uint32_t option)
{
    return raw6(SYS_setsockopt, p->fd, IPPROTO_IP, PORT_OPTION, (long)&option, sizeof(option), 0) ==
           0;
}

struct ports ports_begin(int fd)
{
    struct ports p = {.task = shim.sandboxed ? NULL : task_self(), .fd = fd};
    socklen_t size = sizeof(p.kept);
    if (!p.task || task_leaves_real(DETRUN_PORTS) || !is_unbound(fd))
        return (struct ports){0};
    (void)raw6(SYS_getsockopt, fd, IPPROTO_IP, PORT_OPTION, (long)&p.kept, (long)&size, 0);
    p.range = port_range_own(p.kept, range_here());
    p.draw = port_draw(shim.memory, p.task);
    if (narrow(&p, port_option(p.draw, 0, p.range)))
        return p;
    lineage_count_gap(shim.memory, DETRUN_GAP_PORT_KERNEL);
    return (struct ports){0};
}

bool ports_is_inet(const struct sockaddr *address, socklen_t len)
{
    return address && len >= LEAST && reach_readable(address, LEAST) &&
           (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

/* Of a bind or listen, a connection, a datagram's sender; the second is also said of an address
 * that cannot be had, as the last try will show. */
static bool is_in_use(long result)
{
    return result == -EADDRINUSE || result == -EADDRNOTAVAIL || result == -EAGAIN;
}

bool ports_again(struct ports *p, long result)
{
    if (!p->task || !is_in_use(result) || p->tries == PORT_TRIES)
        return false;
    p->tries++;
    (void)narrow(p, p->tries < PORT_TRIES ? port_option(p->draw, p->tries, p->range) : p->kept);
    return true;
}

long ports_end(const struct ports *p, long result)
{
    if (!p->task)
        return result;
    (void)narrow(p, p->kept);
    for (unsigned i = 0; i < p->tries && !is_in_use(result); i++)
        lineage_count_gap(shim.memory, DETRUN_GAP_PORT_SKIPPED);
    if (p->tries == PORT_TRIES && !is_in_use(result))
        lineage_count_gap(shim.memory, DETRUN_GAP_PORT_KERNEL);
    return result;
}
