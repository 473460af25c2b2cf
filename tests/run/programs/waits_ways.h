/* SPDX-License-Identifier: MIT */
/*
 * The ways to wait that waits_table.c makes a table of: what never comes, and one function for each
 * way to wait for it. They take a clock and a time, and return 0 or an errno.
 */
#ifndef DETRUN_TEST_WAITS_WAYS_H
#define DETRUN_TEST_WAITS_WAYS_H

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "waits_time.h"

#define MICROSECOND INT64_C(1000)
#define SMALL       (3 * MILLISECOND)
#define LARGE       (3600 * SECOND)

/* <linux/futex.h>, which musl's compiler does not find. */
enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, LOCK_PI2 = 13, CLOCK_REAL = 256, U32 = 2 };
enum { NR_FUTEX_WAITV = 449, NR_FUTEX_WAIT = 455 };

static bool exact;

/* What is waited for: nothing of it ever comes. The holder has the locks, and does not end. */
static struct {
    pthread_t holder;
    pthread_mutex_t mutex, mine;
    pthread_rwlock_t rwlock;
    mtx_t mtx, my_mtx;
    pthread_cond_t cond, mono_cond;
    cnd_t cnd;
    sem_t sem, held;
    uint32_t word, pi_word;
    mqd_t empty, full;
    int epoll, set, pair[2], fullpair[2];
    sigset_t usr1;
    unsigned long aio;
} has;

static int errno_of(long result)
{
    return result < 0 ? errno : (int)-result;
}

static int milliseconds(const struct timespec *ts)
{
    return (int)(ns_of(ts) / MILLISECOND);
}

/* WAY(name, result): one way to wait, of a clock and a time; 0 or an errno. */
#define WAY(name, result)                                                                          \
    static int name(clockid_t id, struct timespec *ts)                                             \
    {                                                                                              \
        (void)id;                                                                                  \
        (void)ts;                                                                                  \
        return result;                                                                             \
    }

WAY(by_nanosleep, errno_of(nanosleep(ts, NULL)))
WAY(by_nanosleep_number, errno_of(syscall(SYS_nanosleep, ts, NULL)))
WAY(by_relative_sleep, clock_nanosleep(id, 0, ts, NULL))
WAY(by_absolute_sleep, clock_nanosleep(id, TIMER_ABSTIME, ts, NULL))
WAY(by_relative_number, errno_of(syscall(SYS_clock_nanosleep, id, 0, ts, NULL)))
WAY(by_absolute_number, errno_of(syscall(SYS_clock_nanosleep, id, TIMER_ABSTIME, ts, NULL)))
WAY(by_usleep, errno_of(usleep((useconds_t)(ns_of(ts) / MICROSECOND))))
WAY(by_sleep, (int)sleep((unsigned)ts->tv_sec))
WAY(by_thrd_sleep, thrd_sleep(ts, NULL) == 0 ? 0 : EINVAL)

WAY(by_futex, errno_of(syscall(SYS_futex, &has.word, WAIT, 0, ts, NULL, 0)))
WAY(by_bitset, errno_of(syscall(SYS_futex, &has.word, WAIT_BITSET, 0, ts, NULL, -1)))
WAY(by_bit, errno_of(syscall(SYS_futex, &has.word, WAIT_BITSET, 0, ts, NULL, 4)))
WAY(by_bitset_real,
    errno_of(syscall(SYS_futex, &has.word, WAIT_BITSET | CLOCK_REAL, 0, ts, NULL, -1)))
WAY(by_lock_pi, errno_of(syscall(SYS_futex, &has.pi_word, LOCK_PI, 0, ts, NULL, 0)))
WAY(by_lock_pi2, errno_of(syscall(SYS_futex, &has.pi_word, LOCK_PI2, 0, ts, NULL, 0)))
WAY(by_lock_pi2_real,
    errno_of(syscall(SYS_futex, &has.pi_word, LOCK_PI2 | CLOCK_REAL, 0, ts, NULL, 0)))
WAY(by_futex2, errno_of(syscall(NR_FUTEX_WAIT, &has.word, 0UL, ~0U + 0UL, U32, ts, id)))

struct waited_word {
    uint64_t value, address;
    uint32_t flags, reserved;
};

WAY(by_waitv,
    errno_of(syscall(NR_FUTEX_WAITV,
                     (struct waited_word[2]){{.address = (uintptr_t)&has.word, .flags = U32},
                                             {.address = (uintptr_t)&has.word, .flags = U32}},
                     2, 0, ts, id)))

static struct pollfd *polled(void)
{
    static struct pollfd fd;
    fd = (struct pollfd){.fd = has.pair[0], .events = POLLIN};
    return &fd;
}

static fd_set *selected(void)
{
    static fd_set set;
    FD_ZERO(&set);
    FD_SET(has.pair[0], &set);
    return &set;
}

/* Linux leaves what is left of the time in it: nothing. */
static int nothing_left(long result, const struct timespec *ts)
{
    return result == 0 && ns_of(ts) != 0 ? ERANGE : errno_of(result);
}

static int by_select(clockid_t id, struct timespec *ts)
{
    struct timeval tv = {.tv_sec = ts->tv_sec, .tv_usec = ts->tv_nsec / MICROSECOND};
    (void)id;
    long result = select(has.pair[0] + 1, selected(), NULL, NULL, &tv);
#ifdef __GLIBC__ /* musl hands the kernel a copy */
    *ts = (struct timespec){.tv_sec = tv.tv_sec, .tv_nsec = tv.tv_usec * MICROSECOND};
    return nothing_left(result, ts);
#endif
    return errno_of(result);
}

WAY(by_poll, errno_of(poll(polled(), 1, milliseconds(ts))))
WAY(by_empty_poll, errno_of(poll(NULL, 0, milliseconds(ts))))
WAY(by_ppoll, errno_of(ppoll(polled(), 1, ts, &has.usr1)))
WAY(by_ppoll_number, nothing_left(syscall(SYS_ppoll, polled(), 1, ts, NULL, 0), ts))
WAY(by_pselect, errno_of(pselect(has.pair[0] + 1, selected(), NULL, NULL, ts, &has.usr1)))
WAY(by_pselect_number,
    nothing_left(syscall(SYS_pselect6, has.pair[0] + 1, selected(), NULL, NULL, ts, NULL), ts))
WAY(by_epoll_wait, errno_of(epoll_wait(has.epoll, &(struct epoll_event){0}, 1, milliseconds(ts))))
WAY(by_epoll_pwait,
    errno_of(epoll_pwait(has.epoll, &(struct epoll_event){0}, 1, milliseconds(ts), &has.usr1)))
WAY(by_epoll_number,
    errno_of(syscall(SYS_epoll_pwait2, has.epoll, &(struct epoll_event){0}, 1, ts, NULL, 0)))

WAY(by_sigtimedwait, errno_of(sigtimedwait(&has.usr1, NULL, ts)))
WAY(by_sigtimedwait_number, errno_of(syscall(SYS_rt_sigtimedwait, &has.usr1, NULL, ts, 8)))
WAY(by_semtimedop, errno_of(semtimedop(has.set, &(struct sembuf){.sem_op = -1}, 1, ts)))
WAY(by_mq_timedreceive, errno_of(mq_timedreceive(has.empty, (char[8]){0}, 8, NULL, ts)))
WAY(by_mq_timedsend, errno_of(mq_timedsend(has.full, "x", 1, 0, ts)))
WAY(by_io_getevents, errno_of(syscall(SYS_io_getevents, has.aio, 1L, 1L, (char[32]){0}, ts)))

static int limit_socket(int fd, int option, const struct timespec *ts)
{
    struct timeval tv = {.tv_sec = ts->tv_sec, .tv_usec = ts->tv_nsec / MICROSECOND};
    return setsockopt(fd, SOL_SOCKET, option, &tv, sizeof(tv));
}

static long receive_all(unsigned n, struct timespec *timeout)
{
    struct mmsghdr messages[3] = {0};
    return recvmmsg(has.pair[0], messages, n, 0, timeout);
}

static long send_all(unsigned n)
{
    struct iovec part = {(char[]){0}, 1};
    struct mmsghdr messages[4] = {0};
    for (unsigned i = 0; i < n; i++)
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
    return sendmmsg(has.fullpair[0], messages, n, 0);
}

#define LIMITED(fd, option, call) errno_of(limit_socket(fd, option, ts) < 0 ? -1 : (long)(call))
#define RECEIVING(call)           LIMITED(has.pair[0], SO_RCVTIMEO, call)
#define SENDING(call)             LIMITED(has.fullpair[0], SO_SNDTIMEO, call)

WAY(by_rcvtimeo, RECEIVING(recv(has.pair[0], &(char){0}, 1, 0)))
WAY(by_rcvtimeo_read, RECEIVING(read(has.pair[0], &(char){0}, 1)))
WAY(by_rcvtimeo_from, RECEIVING(recvfrom(has.pair[0], &(char){0}, 1, 0, NULL, NULL)))
WAY(by_rcvtimeo_parts, RECEIVING(readv(has.pair[0], &(struct iovec){&(char){0}, 1}, 1)))
WAY(by_rcvtimeo_msg, RECEIVING(recvmsg(has.pair[0], &(struct msghdr){0}, 0)))
WAY(by_rcvtimeo_mmsg, RECEIVING(receive_all(2, NULL)))
WAY(by_sndtimeo, SENDING(send(has.fullpair[0], "x", 1, 0)))
WAY(by_sndtimeo_to, SENDING(sendto(has.fullpair[0], "x", 1, 0, NULL, 0)))
WAY(by_sndtimeo_parts, SENDING(writev(has.fullpair[0], &(struct iovec){(char[]){0}, 1}, 1)))
WAY(by_sndtimeo_mmsg, SENDING(send_all(2)))
WAY(by_sndtimeo_write, SENDING(write(has.fullpair[0], "x", 1)))

/* A time-out of recvmmsg is looked at after each datagram, and what is left of it is written. */
static int by_recvmmsg(clockid_t id, struct timespec *ts)
{
    struct timespec left = *ts;
    (void)id;
    if (limit_socket(has.pair[0], SO_RCVTIMEO, ts) || send(has.pair[1], "x", 1, 0) != 1)
        return errno;
    long n = receive_all(2, &left);
    if (n != 1)
        return n < 0 ? errno : ENODATA;
    return ns_of(&left) > ns_of(ts) || (exact && ns_of(&left) != ns_of(ts)) ? ERANGE : 0;
}

static void *send_late(void *argument)
{
    struct timespec ts = time_of((int64_t)(intptr_t)argument);
    nanosleep(&ts, NULL);
    send(has.pair[1], "x", 1, 0);
    return NULL;
}

/* It is over when the second datagram comes, which is waited for all the same. */
static int by_late_recvmmsg(clockid_t id, struct timespec *ts)
{
    struct timespec left = time_of(ns_of(ts) / 3);
    pthread_t sender;
    (void)id;
    limit_socket(has.pair[0], SO_RCVTIMEO, &(struct timespec){0});
    pthread_create(&sender, NULL, send_late, (void *)(intptr_t)ns_of(ts));
    pthread_detach(sender);
    send(has.pair[1], "x", 1, 0);
    long n = receive_all(3, &left);
    return n < 0 ? errno : n != 2 ? ENODATA : ns_of(&left) != 0 ? ERANGE : 0;
}

WAY(by_cond, pthread_cond_timedwait(&has.cond, &has.mine, ts))
WAY(by_mono_cond, pthread_cond_timedwait(&has.mono_cond, &has.mine, ts))
WAY(by_mutex, pthread_mutex_timedlock(&has.mutex, ts))
WAY(by_rdlock, pthread_rwlock_timedrdlock(&has.rwlock, ts))
WAY(by_wrlock, pthread_rwlock_timedwrlock(&has.rwlock, ts))
WAY(by_sem, errno_of(sem_timedwait(&has.sem, ts)))
WAY(by_join, pthread_timedjoin_np(has.holder, NULL, ts))

static int errno_of_thrd(int result)
{
    return result == thrd_timedout ? ETIMEDOUT : result == thrd_success ? 0 : EINVAL;
}

WAY(by_cnd, errno_of_thrd(cnd_timedwait(&has.cnd, &has.my_mtx, ts)))
WAY(by_mtx, errno_of_thrd(mtx_timedlock(&has.mtx, ts)))

#ifdef __GLIBC__
WAY(by_epoll_pwait2, errno_of(epoll_pwait2(has.epoll, &(struct epoll_event){0}, 1, ts, NULL)))
WAY(by_cond_clock, pthread_cond_clockwait(&has.cond, &has.mine, id, ts))
WAY(by_mutex_clock, pthread_mutex_clocklock(&has.mutex, id, ts))
WAY(by_rdlock_clock, pthread_rwlock_clockrdlock(&has.rwlock, id, ts))
WAY(by_wrlock_clock, pthread_rwlock_clockwrlock(&has.rwlock, id, ts))
WAY(by_sem_clock, errno_of(sem_clockwait(&has.sem, id, ts)))
WAY(by_join_clock, pthread_clockjoin_np(has.holder, NULL, id, ts))
#endif

static void *hold(void *unused)
{
    pthread_mutex_lock(&has.mutex);
    pthread_rwlock_wrlock(&has.rwlock);
    mtx_lock(&has.mtx);
    syscall(SYS_futex, &has.pi_word, LOCK_PI, 0, NULL, NULL, 0);
    sem_post(&has.held);
    for (;;)
        pause();
    return unused;
}

static void need(bool is_there, const char *what)
{
    if (is_there)
        return;
    printf("no %s: %s\n", what, strerror(errno));
    exit(1);
}

static mqd_t queue(const char *what)
{
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 8};
    char name[64];
    snprintf(name, sizeof(name), "/waits_table.%s.%d", what, (int)getpid());
    mqd_t q = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &small);
    need(q != -1, "message queue");
    mq_unlink(name);
    return q;
}

static void set_up_threads(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&has.mono_cond, &monotonic);
    pthread_cond_init(&has.cond, NULL);
    pthread_mutex_init(&has.mutex, NULL);
    pthread_mutex_init(&has.mine, NULL);
    pthread_rwlock_init(&has.rwlock, NULL);
    mtx_init(&has.mtx, mtx_timed);
    mtx_init(&has.my_mtx, mtx_timed);
    cnd_init(&has.cnd);
    sem_init(&has.sem, 0, 0);
    sem_init(&has.held, 0, 0);
    need(pthread_create(&has.holder, NULL, hold, NULL) == 0, "thread");
    while (sem_wait(&has.held))
        ;
    pthread_mutex_lock(&has.mine);
    mtx_lock(&has.my_mtx);
}

/* A semaphore outlives who made it. */
static void give_up(int signal_number)
{
    semctl(has.set, 0, IPC_RMID);
    _exit(128 + signal_number);
}

static void set_up(void)
{
    set_up_threads();
    has.set = semget(IPC_PRIVATE, 1, 0600);
    signal(SIGTERM, give_up);
    need(has.set >= 0, "semaphore");
    has.empty = queue("empty");
    has.full = queue("full");
    need(mq_send(has.full, "x", 1, 0) == 0, "full queue");
    need(socketpair(AF_UNIX, SOCK_DGRAM, 0, has.pair) == 0, "socket");
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, has.fullpair) == 0, "socket");
    while (send(has.fullpair[0], (char[4096]){0}, 4096, MSG_DONTWAIT) > 0)
        ;
    has.epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    need(epoll_ctl(has.epoll, EPOLL_CTL_ADD, has.pair[0], &event) == 0, "epoll");
    sigemptyset(&has.usr1);
    sigaddset(&has.usr1, SIGUSR1);
    need(sigprocmask(SIG_BLOCK, &has.usr1, NULL) == 0, "blocked signal");
}

#endif
