/* SPDX-License-Identifier: MIT */
#include "timerfds.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "lineage.h"
#include "threads.h"
#include "timers.h"

#ifndef TFD_IOC_SET_TICKS
#define TFD_IOC_SET_TICKS _IOW('T', 0, uint64_t)
#endif
/* Of a thread, which may have descriptors of its own: since Linux 6.9. */
#define PIDFD_OF_THREAD O_EXCL

static int open_pidfd(const struct question *q)
{
    long fd = syscall(SYS_pidfd_open, q->request->pid, PIDFD_OF_THREAD);
    int32_t pid = atomic_load_explicit(&q->process->real_pid, memory_order_relaxed);
    if (fd < 0 && errno == EINVAL)
        fd = syscall(SYS_pidfd_open, pid, 0);
    return (int)fd;
}

static bool is_same(int32_t pid, int fd, int copy)
{
    pid_t own = getpid();
    return syscall(SYS_kcmp, pid, own, KCMP_FILE, fd, copy) == 0;
}

/* One that cannot be told from others is of no use. */
int timerfds_copy(const struct question *q, int fd)
{
    AUTO_CLOSE int pidfd = open_pidfd(q);
    if (pidfd < 0)
        return -errno;
    long copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
    if (copy < 0 || is_same(getpid(), (int)copy, (int)copy))
        return copy < 0 ? -errno : (int)copy;
    close((int)copy);
    return -ENOSYS;
}

bool timerfds_open_again(struct supervisor_timer *t, int32_t pid)
{
    t->fd = guest_copy_descriptor(pid, t->id);
    return t->fd >= 0 && timerfds_clock(t->fd) >= 0;
}

/* A number that the kernel tells of our copy. @return -1: it does not */
static int64_t told(int copy, const char *name)
{
    char path[48];
    char text[1024];
    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", copy);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, name);
    return at ? strtoll(at + strlen(name), NULL, 10) : -1;
}

int timerfds_clock(int copy)
{
    return (int)told(copy, "\nclockid:");
}

struct supervisor_timer *timerfds_find(struct supervisor *s, int copy)
{
    for (unsigned i = 0; i < s->timers->end; i++) {
        struct supervisor_timer *t = &s->timers->all[i];
        if (t->kind == TIMER_DESCRIPTOR && is_same(getpid(), t->fd, copy))
            return t;
    }
    return NULL;
}

/* A kernel that cannot restore checkpoints tells of one expiry at a time. */
void timerfds_tick(const struct supervisor_timer *t, uint64_t expiries)
{
    int64_t unread = timerfds_unread(t) ? told(t->fd, "\nticks:") : 0;
    uint64_t ticks = (unread > 0 ? (uint64_t)unread : 0) + expiries;
    if (ioctl(t->fd, TFD_IOC_SET_TICKS, &ticks) == 0)
        return;
    struct itimerspec now = {.it_value.tv_nsec = 1};
    timerfd_settime(t->fd, 0, &now, NULL);
    if (ticks > 1)
        lineage_count_gap(t->job->memory, DETRUN_GAP_REAL_TIMER);
}

bool timerfds_unread(const struct supervisor_timer *t)
{
    struct pollfd pollfd = {.fd = t->fd, .events = POLLIN};
    return poll(&pollfd, 1, 0) == 1;
}

struct search {
    struct supervisor_timer *timer;
    bool found;
};

static void hand_over(struct supervisor_timer *t, struct supervisor_job *job,
                      const struct detrun_task *process, int fd)
{
    t->job = job;
    t->process = lineage_index(job->memory, process);
    t->nonce = atomic_load_explicit(&process->nonce, memory_order_relaxed);
    t->id = fd;
}

static bool is_open_in(int32_t pid, const struct supervisor_timer *t, int *number)
{
    char path[48];
    snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    AUTO_CLOSEDIR DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        *number = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && is_same(pid, *number, t->fd))
            return true;
    }
    return false;
}

static void look_in(struct supervisor_job *job, struct detrun_task *process, int32_t pid,
                    void *argument)
{
    struct search *search = argument;
    int number;
    if (search->found || !is_open_in(pid, search->timer, &number))
        return;
    hand_over(search->timer, job, process, number);
    search->found = true;
}

bool timerfds_find_holder(struct supervisor *s, struct supervisor_timer *t)
{
    const struct detrun_task *process = timers_process(t);
    struct search search = {.timer = t};
    if (atomic_load_explicit(&process->nonce, memory_order_relaxed) == t->nonce &&
        is_same(atomic_load_explicit(&process->real_pid, memory_order_relaxed), t->id, t->fd))
        return true;
    threads_each_process(s, look_in, &search);
    return search.found;
}
