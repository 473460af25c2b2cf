/* SPDX-License-Identifier: MIT */
/*
 * Calls of which a socket's time limit is ours, and the port that it is given.
 */
#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "calls.h"
#include "limited.h"
#include "poison.h"
#include "ports.h"
#include "reach.h"
#include "real.h"
#include "tracing.h"
#include "writes.h"

long libc_recv(int fd, void *buf, size_t len, int flags)
{
    struct limited l = limited_begin(fd, false, flags);
    long result;
    do
        result = real_result(REAL_LIBC(recv)(fd, buf, len, flags));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

long libc_send(int fd, const void *buf, size_t len, int flags)
{
    struct limited l = limited_begin(fd, true, flags);
    long result;
    do
        result = real_result(REAL_LIBC(send)(fd, buf, len, flags));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

long libc_recvfrom(int fd, void *restrict buf, size_t len, int flags, __SOCKADDR_ARG address,
                   socklen_t *restrict size)
{
    struct limited l = limited_begin(fd, false, flags);
    long result;
    do
        result = real_result(REAL_LIBC(recvfrom)(fd, buf, len, flags, address, size));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

static long limited_sendto(int fd, const void *buf, size_t len, int flags,
                           __CONST_SOCKADDR_ARG address, socklen_t size)
{
    struct limited l = limited_begin(fd, true, flags);
    long result;
    do
        result = real_result(REAL_LIBC(sendto)(fd, buf, len, flags, address, size));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

static struct ports ports_of(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    return ports_is_inet(address.__sockaddr__, size) ? ports_begin(fd) : (struct ports){0};
}

long libc_sendto(int fd, const void *buf, size_t len, int flags, __CONST_SOCKADDR_ARG address,
                 socklen_t size)
{
    struct ports p = ports_of(fd, address, size);
    long result;
    do
        result = limited_sendto(fd, buf, len, flags, address, size);
    while (ports_again(&p, result));
    return ports_end(&p, result);
}

long call_write(int fd, const void *buf, size_t len)
{
    struct limited l = limited_begin(fd, true, 0);
    long result;
    do
        result = real_result(REAL(write)(fd, buf, len));
    while (limited_again(&l, result));
    tracing_write(fd, buf, len, result);
    if (result > 0)
        writes_more(fd);
    return limited_end(&l, result);
}

long libc_writev(int fd, const struct iovec *parts, int n)
{
    struct limited l = limited_begin(fd, true, 0);
    long result;
    do
        result = real_result(REAL_LIBC(writev)(fd, parts, n));
    while (limited_again(&l, result));
    tracing_writev(fd, parts, n, result);
    if (result > 0)
        writes_more(fd);
    return limited_end(&l, result);
}

long libc_accept(int fd, __SOCKADDR_ARG address, socklen_t *restrict size)
{
    struct limited l = limited_begin(fd, false, 0);
    long result;
    do
        result = real_result(REAL_LIBC(accept)(fd, address, size));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

long libc_accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict size, int flags)
{
    struct limited l = limited_begin(fd, false, 0);
    long result;
    do
        result = real_result(REAL_LIBC(accept4)(fd, address, size, flags));
    while (limited_again(&l, result));
    return limited_end(&l, result);
}

static bool is_unix(const struct sockaddr *address)
{
    return reach_readable(address, sizeof(address->sa_family)) && address->sa_family == AF_UNIX;
}

/* At its limit connect has errors of its own: of a connection under way when it is asked for, of
 * one that was before, and of a path whose queue is full. The keeper knows the first alone. */
static bool has_run_out(long result)
{
    return result == -EINPROGRESS || result == -EALREADY || result == -EAGAIN;
}

static long limited_connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    struct limited l = limited_begin(fd, true, 0);
    long first = 0;
    long result;
    do {
        result = real_result(REAL_LIBC(connect)(fd, address, size));
        first = first ? first : result;
    } while (limited_again(&l, has_run_out(result) ? -EAGAIN : result));
    if (!l.task)
        return result;
    if (!has_run_out(result))
        return limited_end(&l, result);
    limited_end(&l, -EAGAIN);
    return first == -EINPROGRESS && is_unix(address.__sockaddr__) ? -EAGAIN : first;
}

long libc_connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    struct ports p = ports_of(fd, address, size);
    long result;
    do
        result = limited_connect(fd, address, size);
    while (ports_again(&p, result));
    return ports_end(&p, result);
}
