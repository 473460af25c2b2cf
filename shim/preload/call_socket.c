/* SPDX-License-Identifier: MIT */
/*
 * Credentials and times on sockets. The kernel refuses a virtual pid in SCM_CREDENTIALS before it
 * sends anything, so what is sent is looked at only then: an ordinary message costs nothing.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "calls.h"
#include "pids.h"
#include "poison.h"
#include "reach.h"
#include "real.h"
#include "stamps.h"

#define CONTROL_SIZE 4096  /* room for every kind of control message at once */
#define MAX_MESSAGES 1024U /* the kernel's UIO_MAXIOV */

long call_getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict len)
{
    long result = real_result(REAL(getsockopt)(fd, level, name, value, len));
    struct ucred *peer = value;
    if (result == 0 && level == SOL_SOCKET && name == SO_PEERCRED && *len >= sizeof(peer->pid))
        peer->pid = pids_out(peer->pid);
    return result;
}

/* Ends where the kernel ends: at a length that does not fit. */
static struct cmsghdr *part_at(void *control, size_t size, size_t at)
{
    if (at + sizeof(struct cmsghdr) > size)
        return NULL;
    struct cmsghdr *c = (struct cmsghdr *)(void *)((uint8_t *)control + at);
    return c->cmsg_len < sizeof(*c) || c->cmsg_len > size - at ? NULL : c;
}

/* @return whether a pid was changed */
static bool translate(void *control, size_t size, int (*translated)(int))
{
    bool changed = false;
    struct cmsghdr *c;
    for (size_t at = 0; (c = part_at(control, size, at)); at += CMSG_ALIGN(c->cmsg_len)) {
        pid_t *pid = (pid_t *)(void *)CMSG_DATA(c);
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS ||
            c->cmsg_len < CMSG_LEN(sizeof(*pid)))
            continue;
        pid_t before = *pid;
        *pid = translated(before);
        changed |= *pid != before;
    }
    return changed;
}

static void received(const struct msghdr *message)
{
    struct cmsghdr *c;
    if (!message->msg_control)
        return;
    translate(message->msg_control, message->msg_controllen, pids_out);
    for (size_t at = 0; (c = part_at(message->msg_control, message->msg_controllen, at));
         at += CMSG_ALIGN(c->cmsg_len))
        stamps_in_message(c);
}

long call_recvmsg(int fd, struct msghdr *message, int flags)
{
    long result = real_result(REAL(recvmsg)(fd, message, flags));
    if (result >= 0)
        received(message);
    return result;
}

long call_recvmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags,
                   struct timespec *timeout)
{
    long result = real_result(REAL(recvmmsg)(fd, messages, n, flags, timeout));
    for (long i = 0; i < result; i++)
        received(&messages[i].msg_hdr);
    return result;
}

static bool may_be_for_a_pid(long result)
{
    return result == -ESRCH || result == -EPERM;
}

/* The message again, with real pids in a copy of its control part; or the error it had. */
static long send_again(int fd, const struct msghdr *message, int flags, long error)
{
    uint64_t control[CONTROL_SIZE / sizeof(uint64_t)];
    struct msghdr own = *message;
    if (!own.msg_control || own.msg_controllen > sizeof(control) ||
        !reach_readable(own.msg_control, own.msg_controllen))
        return error;
    memcpy(control, own.msg_control, own.msg_controllen);
    own.msg_control = control;
    if (!translate(control, own.msg_controllen, pids_in))
        return error;
    return real_result(REAL(sendmsg)(fd, &own, flags));
}

long call_sendmsg(int fd, const struct msghdr *message, int flags)
{
    long result = real_result(REAL(sendmsg)(fd, message, flags));
    return may_be_for_a_pid(result) ? send_again(fd, message, flags, result) : result;
}

/* @return 1 or -errno */
static long send_one_again(int fd, struct mmsghdr *message, int flags, long error)
{
    if (!reach_readable(message, sizeof(*message)))
        return error;
    long result = send_again(fd, &message->msg_hdr, flags, error);
    if (result < 0)
        return result;
    message->msg_len = (unsigned)result;
    return 1;
}

/* The kernel stops at a message that it refuses and says why only if it is the first. */
long call_sendmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    unsigned sent = 0;
    if (n > MAX_MESSAGES)
        n = MAX_MESSAGES;
    long result = real_result(REAL(sendmmsg)(fd, messages, n, flags));
    while (result > 0 || may_be_for_a_pid(result)) {
        sent += result > 0 ? (unsigned)result : 0;
        if (sent == n)
            break;
        result = send_one_again(fd, &messages[sent], flags, result < 0 ? result : -ESRCH);
        if (result < 0 || ++sent == n)
            break;
        result = real_result(REAL(sendmmsg)(fd, messages + sent, n - sent, flags));
    }
    return sent > 0 ? (long)sent : result;
}
