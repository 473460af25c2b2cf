/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Each wait that launcher/release.c can end, for much longer than a test takes and for nothing.
 */
#ifndef DETRUN_TESTS_RELEASE_WAITS_H
#define DETRUN_TESTS_RELEASE_WAITS_H

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "release_target.h"

static const struct timespec long_time = {LONG_WAIT_S, 0};

/* Nothing comes out of it, ever: this process has the other end. */
static int silent_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        _exit(1);
    return ends[0];
}

static int silent_socket(int type)
{
    int ends[2];
    struct timeval limit = {LONG_WAIT_S, 0};
    if (socketpair(AF_UNIX, type, 0, ends) != 0 ||
        setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0 ||
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) != 0)
        _exit(1);
    return ends[0];
}

static long wait_poll(struct target *t)
{
    struct pollfd fd = {silent_pipe(), POLLIN, 0x7fff};
    long value = syscall(SYS_poll, &fd, 1, LONG_WAIT_S * 1000);
    t->sound = fd.revents == 0;
    return value;
}

static long wait_ppoll(struct target *t)
{
    struct pollfd fd = {silent_pipe(), POLLIN, 0x7fff};
    struct timespec limit = long_time;
    sigset_t mask, now;
    sigfillset(&mask);
    long value = syscall(SYS_ppoll, &fd, 1, &limit, &mask, 8);
    sigprocmask(SIG_SETMASK, NULL, &now);
    t->sound = fd.revents == 0 && !sigismember(&now, SIGTERM);
    return value;
}

static long wait_select(struct target *t)
{
    int fd = silent_pipe();
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    struct timeval limit = {LONG_WAIT_S, 0};
    long value = syscall(SYS_select, fd + 1, &set, NULL, NULL, &limit);
    t->sound = FD_ISSET(fd, &set) && limit.tv_sec >= LONG_WAIT_S / 2; /* as release.h says */
    return value;
}

static long wait_pselect6(struct target *t)
{
    int fd = silent_pipe();
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    struct timespec limit = long_time;
    long value = syscall(SYS_pselect6, fd + 1, &set, NULL, NULL, &limit, NULL);
    t->sound = FD_ISSET(fd, &set) && limit.tv_sec >= LONG_WAIT_S / 2;
    return value;
}

static int silent_epoll(void)
{
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, silent_pipe(), &event) != 0)
        _exit(1);
    return epoll;
}

static long wait_epoll_wait(struct target *t)
{
    struct epoll_event event;
    (void)t;
    return syscall(SYS_epoll_wait, silent_epoll(), &event, 1, LONG_WAIT_S * 1000);
}

static long wait_epoll_pwait(struct target *t)
{
    struct epoll_event event;
    sigset_t mask, now;
    sigfillset(&mask);
    long value = syscall(SYS_epoll_pwait, silent_epoll(), &event, 1, LONG_WAIT_S * 1000, &mask, 8);
    sigprocmask(SIG_SETMASK, NULL, &now);
    t->sound = !sigismember(&now, SIGTERM);
    return value;
}

static long wait_epoll_pwait2(struct target *t)
{
    struct epoll_event event;
    (void)t;
    return syscall(SYS_epoll_pwait2, silent_epoll(), &event, 1, &long_time, NULL, 8);
}

static long wait_nanosleep(struct target *t)
{
    struct timespec left = {0, 0};
    long value = syscall(SYS_nanosleep, &long_time, &left);
    t->sound = left.tv_sec >= LONG_WAIT_S / 2; /* as release.h says */
    return value;
}

static long wait_clock_nanosleep(struct target *t)
{
    (void)t;
    return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &long_time, NULL);
}

static struct timespec far_away(clockid_t clock)
{
    struct timespec at;
    clock_gettime(clock, &at);
    at.tv_sec += LONG_WAIT_S;
    return at;
}

static long wait_clock_nanosleep_until(struct target *t)
{
    struct timespec at = far_away(CLOCK_REALTIME);
    (void)t;
    return syscall(SYS_clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL);
}

static long wait_futex(struct target *t)
{
    return syscall(SYS_futex, &t->word, FUTEX_WAIT, 0, &long_time, NULL, 0);
}

static long wait_futex_bitset(struct target *t)
{
    struct timespec at = far_away(CLOCK_MONOTONIC);
    return syscall(SYS_futex, &t->word, FUTEX_WAIT_BITSET, 0, &at, NULL, FUTEX_BITSET_MATCH_ANY);
}

static long wait_futex_lock(struct target *t)
{
    struct timespec at = far_away(CLOCK_REALTIME);
    t->word = (unsigned)getppid();
    return syscall(SYS_futex, &t->word, FUTEX_LOCK_PI, 0, &at, NULL, 0);
}

static long wait_futex_waitv(struct target *t)
{
    struct timespec at = far_away(CLOCK_MONOTONIC);
    struct futex_waitv wait = {.uaddr = (uintptr_t)&t->word, .flags = FUTEX_32};
    return syscall(SYS_futex_waitv, &wait, 1, 0, &at, CLOCK_MONOTONIC);
}

static long wait_sigtimedwait(struct target *t)
{
    sigset_t set, now;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    long value = syscall(SYS_rt_sigtimedwait, &set, NULL, &long_time, 8);
    sigprocmask(SIG_SETMASK, NULL, &now);
    t->sound = !sigismember(&now, SIGUSR1);
    return value;
}

static long wait_semtimedop(struct target *t)
{
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf take = {0, -1, 0};
    (void)t;
    long value = result_of(syscall(SYS_semtimedop, set, &take, 1, &long_time));
    semctl(set, 0, IPC_RMID);
    errno = (int)-value;
    return value < 0 ? -1 : value;
}

static int queue(unsigned full)
{
    char name[32];
    snprintf(name, sizeof(name), "/detrun-test-%d", getpid());
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
    int mq = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
    mq_unlink(name);
    if (mq < 0 || (full && mq_send(mq, "x", 1, 0) != 0))
        _exit(77);
    return mq;
}

static long wait_mq_timedreceive(struct target *t)
{
    char message[8];
    struct timespec at = far_away(CLOCK_REALTIME);
    (void)t;
    return syscall(SYS_mq_timedreceive, queue(0), message, sizeof(message), NULL, &at);
}

static long wait_mq_timedsend(struct target *t)
{
    struct timespec at = far_away(CLOCK_REALTIME);
    (void)t;
    return syscall(SYS_mq_timedsend, queue(1), "y", 1, 0, &at);
}

static long wait_io_getevents(struct target *t)
{
    aio_context_t context = 0;
    struct io_event event;
    (void)t;
    if (syscall(SYS_io_setup, 1, &context) != 0)
        _exit(77);
    return syscall(SYS_io_getevents, context, 1, 1, &event, &long_time);
}

static long wait_recvmmsg(struct target *t)
{
    char text[8];
    struct iovec part = {text, sizeof(text)};
    struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}}};
    struct timespec limit = long_time;
    int ends[2];
    (void)t;
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        _exit(1);
    return syscall(SYS_recvmmsg, ends[0], messages, 2, 0, &limit);
}

static long wait_recvmsg(struct target *t)
{
    char text[8];
    struct iovec part = {text, sizeof(text)};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    (void)t;
    return syscall(SYS_recvmsg, silent_socket(SOCK_STREAM), &message, 0);
}

static long wait_recvfrom(struct target *t)
{
    char text[8];
    (void)t;
    return syscall(SYS_recvfrom, silent_socket(SOCK_DGRAM), text, sizeof(text), 0, NULL, NULL);
}

static long wait_read(struct target *t)
{
    char text[8];
    (void)t;
    return syscall(SYS_read, silent_socket(SOCK_STREAM), text, sizeof(text));
}

static int full_socket(void)
{
    int fd = silent_socket(SOCK_STREAM);
    char text[4096] = "";
    while (send(fd, text, sizeof(text), MSG_DONTWAIT) > 0)
        ;
    return fd;
}

static long wait_write(struct target *t)
{
    (void)t;
    return syscall(SYS_write, full_socket(), "x", 1);
}

static long wait_sendto(struct target *t)
{
    (void)t;
    return syscall(SYS_sendto, full_socket(), "x", 1, 0, NULL, 0);
}

static int listener(struct sockaddr_un *address, socklen_t *size)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct timeval limit = {LONG_WAIT_S, 0};
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    *size = sizeof(*address);
    if (bind(fd, (struct sockaddr *)address, sizeof(sa_family_t)) != 0 || listen(fd, 0) != 0 ||
        getsockname(fd, (struct sockaddr *)address, size) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0)
        _exit(1);
    return fd;
}

static long wait_accept(struct target *t)
{
    struct sockaddr_un address;
    socklen_t size;
    (void)t;
    return syscall(SYS_accept, listener(&address, &size), NULL, NULL);
}

static long wait_connect(struct target *t)
{
    struct sockaddr_un address;
    socklen_t size;
    (void)t;
    struct timeval limit = {LONG_WAIT_S, 0};
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    listener(&address, &size);
    if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, size) != 0 ||
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) != 0)
        _exit(1);
    return syscall(SYS_connect, client, &address, size);
}

struct wait {
    const char *name;
    long number;
    long (*wait)(struct target *t);
    long result; /* of the time-out */
};

static const struct wait waits[] = {
    {"poll", SYS_poll, wait_poll, 0},
    {"ppoll", SYS_ppoll, wait_ppoll, 0},
    {"select", SYS_select, wait_select, 0},
    {"pselect6", SYS_pselect6, wait_pselect6, 0},
    {"epoll_wait", SYS_epoll_wait, wait_epoll_wait, 0},
    {"epoll_pwait", SYS_epoll_pwait, wait_epoll_pwait, 0},
    {"epoll_pwait2", SYS_epoll_pwait2, wait_epoll_pwait2, 0},
    {"nanosleep", SYS_nanosleep, wait_nanosleep, 0},
    {"clock_nanosleep", SYS_clock_nanosleep, wait_clock_nanosleep, 0},
    {"clock_nanosleep until", SYS_clock_nanosleep, wait_clock_nanosleep_until, 0},
    {"futex", SYS_futex, wait_futex, -ETIMEDOUT},
    {"futex bitset", SYS_futex, wait_futex_bitset, -ETIMEDOUT},
    {"futex lock", SYS_futex, wait_futex_lock, -ETIMEDOUT},
    {"futex_waitv", SYS_futex_waitv, wait_futex_waitv, -ETIMEDOUT},
    {"rt_sigtimedwait", SYS_rt_sigtimedwait, wait_sigtimedwait, -EAGAIN},
    {"semtimedop", SYS_semtimedop, wait_semtimedop, -EAGAIN},
    {"mq_timedreceive", SYS_mq_timedreceive, wait_mq_timedreceive, -ETIMEDOUT},
    {"mq_timedsend", SYS_mq_timedsend, wait_mq_timedsend, -ETIMEDOUT},
    {"io_getevents", SYS_io_getevents, wait_io_getevents, 0},
    {"recvmmsg", SYS_recvmmsg, wait_recvmmsg, -EAGAIN},
    {"recvmsg", SYS_recvmsg, wait_recvmsg, -EAGAIN},
    {"recvfrom", SYS_recvfrom, wait_recvfrom, -EAGAIN},
    {"read", SYS_read, wait_read, -EAGAIN},
    {"write", SYS_write, wait_write, -EAGAIN},
    {"sendto", SYS_sendto, wait_sendto, -EAGAIN},
    {"accept", SYS_accept, wait_accept, -EAGAIN},
    {"connect", SYS_connect, wait_connect, -EAGAIN},
};

#define WAITS (sizeof(waits) / sizeof(*waits))
#endif
