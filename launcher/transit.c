/* SPDX-License-Identifier: MIT */
#include "transit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS_MAX 1024
#define PROBE_TIMER     4 /* idiag_timer, sock_diag(7): the reader's buffer is full */

/* States of linux/tcp_states.h that can have something on its way. */
enum { ESTABLISHED = 1, SYN_SENT, SYN_RECV, FIN_WAIT1, CLOSE_WAIT = 8, LAST_ACK, CLOSING = 11 };
#define STATES                                                                                     \
    (1U << ESTABLISHED | 1U << SYN_SENT | 1U << SYN_RECV | 1U << FIN_WAIT1 | 1U << CLOSE_WAIT |    \
     1U << LAST_ACK | 1U << CLOSING)

struct connection {
    struct inet_diag_sockid id;
    bool opening;
    bool stuck; /**< its other end does not read */
    uint64_t unsent;
    uint64_t sent;
    uint64_t received;
};

struct table {
    unsigned count;
    struct connection all[CONNECTIONS_MAX];
};

static int ask(int fd, uint8_t family)
{
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } message = {
        .header = {.nlmsg_len = sizeof(message),
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request = {.sdiag_family = family,
                    .sdiag_protocol = IPPROTO_TCP,
                    .idiag_ext = 1U << (INET_DIAG_INFO - 1),
                    .idiag_states = STATES},
    };
    return send(fd, &message, sizeof(message), 0) == (ssize_t)sizeof(message) ? 0 : -errno;
}

static void take_info(struct connection *c, const struct inet_diag_msg *message, size_t length)
{
    struct tcp_info info = {0};
    size_t at = sizeof(*message);
    while (at + sizeof(struct rtattr) <= length) {
        const struct rtattr *attribute = (const void *)((const char *)message + at);
        size_t size = RTA_PAYLOAD(attribute);
        if (attribute->rta_len < sizeof(*attribute) || attribute->rta_len > length - at)
            break;
        if (attribute->rta_type == INET_DIAG_INFO)
            memcpy(&info, RTA_DATA(attribute), size < sizeof(info) ? size : sizeof(info));
        at += RTA_ALIGN(attribute->rta_len);
    }
    c->unsent = info.tcpi_notsent_bytes;
    c->sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    c->received = info.tcpi_bytes_received;
}

static void take(struct table *t, const struct inet_diag_msg *message, size_t length)
{
    if (length < sizeof(*message) || t->count == CONNECTIONS_MAX)
        return;
    struct connection *c = &t->all[t->count++];
    *c = (struct connection){.id = message->id,
                             .opening = message->idiag_state == SYN_SENT ||
                                        message->idiag_state == SYN_RECV,
                             .stuck = message->idiag_timer == PROBE_TIMER};
    take_info(c, message, length);
}

/* @return whether more is to come */
static bool take_all(struct table *t, const char *buffer, size_t length)
{
    const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
    for (; NLMSG_OK(header, length); header = NLMSG_NEXT(header, length)) {
        if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
            return false;
        take(t, NLMSG_DATA(header), header->nlmsg_len - NLMSG_HDRLEN);
    }
    return true;
}

static void read_table(struct table *t, int fd, uint8_t family)
{
    static char buffer[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
    ssize_t n = ask(fd, family) == 0 ? 1 : 0;
    while (n > 0) {
        n = recv(fd, buffer, sizeof(buffer), 0);
        if (n > 0 && !take_all(t, buffer, (size_t)n))
            return;
    }
}

static const struct connection *other_end(const struct table *t, const struct connection *c)
{
    for (unsigned i = 0; i < t->count; i++) {
        const struct connection *o = &t->all[i];
        if (o->id.idiag_sport == c->id.idiag_dport && o->id.idiag_dport == c->id.idiag_sport &&
            memcmp(o->id.idiag_src, c->id.idiag_dst, sizeof(o->id.idiag_src)) == 0 &&
            memcmp(o->id.idiag_dst, c->id.idiag_src, sizeof(o->id.idiag_dst)) == 0)
            return o;
    }
    return NULL;
}

static bool is_pending(const struct connection *c, const struct connection *other)
{
    if (c->opening)
        return true;
    return (c->unsent != 0 && !c->stuck) || c->sent > other->received;
}

static enum transit judge(const struct table *t)
{
    enum transit result = TRANSIT_NONE;
    for (unsigned i = 0; i < t->count; i++) {
        const struct connection *other = other_end(t, &t->all[i]);
        if (other && is_pending(&t->all[i], other))
            return TRANSIT_PENDING;
        if (other)
            result = TRANSIT_QUIET;
    }
    return result;
}

/* One socket, kept: it is looked at before each move of time. */
static int netlink(void)
{
    static int fd = -1;
    if (fd < 0)
        fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    return fd;
}

/* @return -1: not known */
static long number_in(const char *path, int *fd)
{
    char text[512];
    if (*fd < 0)
        *fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = *fd >= 0 ? pread(*fd, text, sizeof(text) - 1, 0) : -1;
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "TCP");
    const char *number = at ? strstr(at, "inuse ") : NULL;
    return number ? strtol(number + strlen("inuse "), NULL, 10) : -1;
}

/* Sockets of this network namespace, listening ones among them. */
static long sockets_in_use(void)
{
    static int fds[] = {-1, -1};
    long four = number_in("/proc/net/sockstat", &fds[0]);
    long six = number_in("/proc/net/sockstat6", &fds[1]);
    return four < 0 ? -1 : four + (six > 0 ? six : 0);
}

/* The kernel walks through a table of its own for the list, which takes milliseconds where it has
 * much memory: not as long as nothing was in it and no socket has come. */
enum transit transit_look(void)
{
    static struct table table;
    static long idle = -1; /* so many sockets were in use when there was no connection */
    long in_use = sockets_in_use();
    int fd = netlink();
    if (fd < 0 || (in_use >= 0 && in_use == idle))
        return TRANSIT_NONE;
    table.count = 0;
    read_table(&table, fd, AF_INET);
    read_table(&table, fd, AF_INET6);
    idle = table.count == 0 ? in_use : -1;
    return judge(&table);
}
