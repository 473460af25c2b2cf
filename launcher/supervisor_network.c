/* SPDX-License-Identifier: MIT */
/*
 * --network: calls that name where they want to reach. A program that changes the address between
 * the look at it and the call gets through: this is for programs that would like to know.
 */
#include <errno.h>
#include <sys/socket.h>

#include "guest.h"
#include "network.h"
#include "supervisor.h"

#define MESSAGES_MAX 1024 /* the kernel's UIO_MAXIOV */

/* What cannot be read is the kernel's to refuse. */
static bool is_too_far(const struct question *q, uint64_t address, uint64_t len)
{
    uint8_t bytes[NETWORK_ADDRESS] = {0};
    size_t n = len < sizeof(bytes) ? (size_t)len : sizeof(bytes);
    return address != 0 && n > 0 && guest_read((int32_t)q->request->pid, address, bytes, n) == 0 &&
           network_refuses((enum network)q->m->params.network, bytes, n);
}

static long refused(const struct question *q, long error)
{
    supervisor_gap(q, DETRUN_GAP_NETWORK_REFUSED);
    return error;
}

bool network_refuses_bind(const struct question *q)
{
    return is_too_far(q, q->args[1], (uint32_t)q->args[2]);
}

long network_refused_bind(const struct question *q)
{
    return refused(q, -EADDRNOTAVAIL);
}

long answer_connect(struct question *q)
{
    return is_too_far(q, q->args[1], (uint32_t)q->args[2]) ? refused(q, -ENETUNREACH)
                                                           : ANSWER_CONTINUE;
}

long answer_sendto(struct question *q)
{
    return is_too_far(q, q->args[4], (uint32_t)q->args[5]) ? refused(q, -ENETUNREACH)
                                                           : ANSWER_CONTINUE;
}

static bool leads_too_far(const struct question *q, uint64_t message)
{
    struct msghdr header;
    return guest_read((int32_t)q->request->pid, message, &header, sizeof(header)) == 0 &&
           is_too_far(q, (uint64_t)(uintptr_t)header.msg_name, header.msg_namelen);
}

long answer_sendmsg(struct question *q)
{
    return leads_too_far(q, q->args[1]) ? refused(q, -ENETUNREACH) : ANSWER_CONTINUE;
}

/* Of several none is sent: the kernel would send those before. */
long answer_sendmmsg(struct question *q)
{
    uint32_t n = (uint32_t)q->args[2] < MESSAGES_MAX ? (uint32_t)q->args[2] : MESSAGES_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (leads_too_far(q, q->args[1] + i * sizeof(struct mmsghdr)))
            return refused(q, -ENETUNREACH);
    return ANSWER_CONTINUE;
}
