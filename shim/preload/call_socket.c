/* SPDX-License-Identifier: MIT */
/*
 * Credentials, times and time limits on sockets. The kernel refuses a virtual pid in
 * SCM_CREDENTIALS before it sends anything, so what is sent is looked at only then: an ordinary
 * message costs nothing.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "calls.h"
#include "clock.h"
#include "limited.h"
#include "pids.h"
#include "poison.h"
#include "ports.h"
#include "reach.h"
#include "real.h"
#include "stamps.h"
#include "task.h"
#include "timed.h"
#include "timespec.h"
#include "waits.h"

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

long call_setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
    long result = real_result(REAL(setsockopt)(fd, level, name, value, len));
    if (result == 0 && level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
        limited_set(fd, name, value);
    return result;
}

static long limited_recvmsg(int fd, struct msghdr *message, int flags)
{
    struct limited l = limited_begin(fd, false, flags);
    long result;
    do
        result = real_result(REAL(recvmsg)(fd, message, flags));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

long call_recvmsg(int fd, struct msghdr *message, int flags)
{
    long result = limited_recvmsg(fd, message, flags);
    if (result >= 0)
        received(message);
    return result;
}

static long receive_some(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    struct limited l = limited_begin(fd, false, flags);
    long result;
    do
        result = real_result(REAL(recvmmsg)(fd, messages, n, flags, NULL));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

/* @return whether another one may come; *timeout: what is left */
static bool time_is_left(const struct detrun_task *t, int64_t deadline, struct timespec *timeout)
{
    int64_t left = deadline - clock_view(shim.memory, t, DETRUN_FAMILY_MONO);
    *timeout = timespec_of(left > 0 ? left : 0);
    return left > 0;
}

/*
 * The kernel looks at the time after each message only, and waits for each beyond it (recvmmsg(2),
 * BUGS). One by one, then: an error after the first message is not kept for the next call.
 */
static long receive_until(struct detrun_task *t, int fd, struct mmsghdr *messages, unsigned n,
                          int flags, struct timespec *timeout)
{
    int64_t ns = timed_ns(timeout);
    int64_t now = clock_view(shim.memory, t, DETRUN_FAMILY_MONO);
    int64_t deadline = ns < INT64_MAX - now ? now + ns : INT64_MAX;
    long done = 0;
    bool more = true;
    while (more && done < (long)n) {
        waits_pause(t, DETRUN_ON_FILES); /* it is as late then as the job */
        long result = receive_some(fd, messages + done, 1, flags);
        waits_resume(t);
        if (result <= 0)
            return done > 0 ? done : result;
        if (flags & MSG_WAITFORONE)
            flags |= MSG_DONTWAIT;
        if (reach_writable(timeout, sizeof(*timeout)) != sizeof(*timeout))
            return -EFAULT;
        more = time_is_left(t, deadline, timeout) && !(messages[done].msg_hdr.msg_flags & MSG_OOB);
        done++;
    }
    return done;
}

long call_recvmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags,
                   struct timespec *timeout)
{
    struct detrun_task *t = task_self();
    long result;
    if (!timeout)
        result = receive_some(fd, messages, n, flags);
    else if (t && timed_is_valid(timeout))
        result = receive_until(t, fd, messages, n, flags, timeout);
    else
        result = real_result(REAL(recvmmsg)(fd, messages, n, flags, timeout));
    for (long i = 0; i < result; i++)
        received(&messages[i].msg_hdr);
    return result;
}

static bool may_be_for_a_pid(long result)
{
    return result == -ESRCH || result == -EPERM;
}

static long limited_sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct limited l = limited_begin(fd, true, flags);
    long result;
    do
        result = real_result(REAL(sendmsg)(fd, message, flags));
    while (limited_again(&l, result));
    return limited_end(&l, result);
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
    return limited_sendmsg(fd, &own, flags);
}

/* A datagram gives its socket a port, as connect does. */
static struct ports ports_of(int fd, const struct msghdr *message)
{
    bool leads_out = reach_readable(message, sizeof(*message)) &&
                     ports_is_inet(message->msg_name, message->msg_namelen);
    return leads_out ? ports_begin(fd) : (struct ports){0};
}

long call_sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct ports p = ports_of(fd, message);
    long result;
    do
        result = limited_sendmsg(fd, message, flags);
    while (ports_again(&p, result));
    ports_end(&p, result);
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

/* Of several messages the first alone may be at the limit and all be unsent: the kernel tells how
 * many it has sent, and the limit is each message's. */
static long limited_sendmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    struct limited l = limited_begin(fd, true, flags);
    long result;
    do
        result = real_result(REAL(sendmmsg)(fd, messages, n, flags));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

/* The kernel stops at a message that it refuses and says why only if it is the first. */
long call_sendmmsg(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    unsigned sent = 0;
    if (n > MAX_MESSAGES)
        n = MAX_MESSAGES;
    long result;
    struct ports p = n > 0 ? ports_of(fd, &messages->msg_hdr) : (struct ports){0};
    do
        result = limited_sendmmsg(fd, messages, n, flags);
    while (ports_again(&p, result));
    ports_end(&p, result);
    while (result > 0 || may_be_for_a_pid(result)) {
        sent += result > 0 ? (unsigned)result : 0;
        if (sent == n)
            break;
        result = send_one_again(fd, &messages[sent], flags, result < 0 ? result : -ESRCH);
        if (result < 0 || ++sent == n)
            break;
        result = limited_sendmmsg(fd, messages + sent, n - sent, flags);
    }
    return sent > 0 ? (long)sent : result;
}
