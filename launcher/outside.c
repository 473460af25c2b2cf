/* SPDX-License-Identifier: MIT */
#include "outside.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "lineage.h"
#include "process.h"
#include "threads.h"
#include "unfollow.h"

#define MAX_INHERITED 16
#define MAX_POLLED    256

struct file_id {
    dev_t device;
    ino_t inode;
};

static struct file_id inherited[MAX_INHERITED];
static unsigned inherited_count;
static bool terminal_inherited;

static bool has_another_end(const struct stat *st, int fd)
{
    return S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode) || (S_ISCHR(st->st_mode) && isatty(fd));
}

void outside_note_inherited(void)
{
    for (int fd = 0; fd < MAX_INHERITED; fd++) {
        struct stat st;
        if (fstat(fd, &st) != 0 || !has_another_end(&st, fd))
            continue;
        inherited[inherited_count++] = (struct file_id){st.st_dev, st.st_ino};
        terminal_inherited |= S_ISCHR(st.st_mode);
    }
}

static bool was_inherited(const struct stat *st)
{
    for (unsigned i = 0; i < inherited_count; i++)
        if (inherited[i].device == st->st_dev && inherited[i].inode == st->st_ino)
            return true;
    return false;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *in = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
    if (address->ss_family == AF_INET)
        return ntohl(in->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr) && in6->sin6_addr.s6_addr[12] == 127);
}

static unsigned port_of(const struct sockaddr_storage *address)
{
    return ntohs(((const struct sockaddr_in *)address)->sin_port); /* sin6_port lies there too */
}

/* Of the socket at the other end of a loopback connection, proc_net_tcp(5). 0: there is none. */
static unsigned long inode_of_peer(int32_t pid, const char *table, unsigned own, unsigned peer)
{
    char path[48];
    char line[512];
    unsigned long inode = 0;
    snprintf(path, sizeof(path), "/proc/%d/net/%s", pid, table);
    FILE *file = fopen(path, "re");
    while (file && inode == 0 && fgets(line, sizeof(line), file)) {
        unsigned local;
        unsigned remote;
        unsigned long found;
        if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%x %*x %*x:%*x %*x:%*x %*x %*u %*u %lu",
                   &local, &remote, &found) == 3 &&
            local == peer && remote == own)
            inode = found;
    }
    if (file)
        fclose(file);
    return inode;
}

struct holder {
    char link[40]; /**< socket:[INODE] */
    bool found;
};

static bool holds(int32_t pid, const char *wanted)
{
    char path[32];
    char link[DETRUN_PATH_SIZE];
    snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    AUTO_CLOSEDIR DIR *dir = opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        ssize_t n = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);
        link[n > 0 ? n : 0] = '\0';
        if (strcmp(link, wanted) == 0)
            return true;
    }
    return false;
}

static void look_for_holder(struct supervisor_job *job, struct detrun_task *process, int32_t pid,
                            void *argument)
{
    (void)job;
    (void)process;
    struct holder *holder = argument;
    holder->found = holder->found || holds(pid, holder->link);
}

static bool is_held_inside(struct supervisor *s, unsigned long inode)
{
    struct holder holder = {.found = inode == 0}; /* closed: its end is about to be seen */
    snprintf(holder.link, sizeof(holder.link), "socket:[%lu]", inode);
    threads_each_process(s, look_for_holder, &holder);
    return holder.found;
}

static bool is_process_outside(struct supervisor *s, int32_t pid)
{
    struct supervisor_who who = task_known(s, pid);
    return !who.task || lineage_is_unfollowed(lineage_process(who.job->memory, who.task));
}

static bool is_connected_outside(struct supervisor *s, int32_t pid, int fd)
{
    struct sockaddr_storage own = {0};
    struct sockaddr_storage peer = {0};
    socklen_t own_size = sizeof(own);
    socklen_t peer_size = sizeof(peer);
    struct ucred credentials;
    socklen_t size = sizeof(credentials);
    /* It listens, or has no one yet: who comes may not be followed. */
    if (getpeername(fd, (struct sockaddr *)&peer, &peer_size) != 0)
        return threads_any_unfollowed(s);
    if (peer.ss_family == AF_UNIX)
        return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 &&
               credentials.pid > 0 && is_process_outside(s, credentials.pid);
    if (peer.ss_family != AF_INET && peer.ss_family != AF_INET6)
        return false;
    if (!is_loopback(&peer))
        return true;
    getsockname(fd, (struct sockaddr *)&own, &own_size);
    const char *table = peer.ss_family == AF_INET ? "tcp" : "tcp6";
    return !is_held_inside(s, inode_of_peer(pid, table, port_of(&own), port_of(&peer)));
}

/* Connections do not change; the last ones looked at are remembered. */
static bool is_outside_socket(struct supervisor *s, int32_t pid, int fd, ino_t inode)
{
    static struct {
        ino_t inode;
        bool outside;
    } known[256];
    unsigned slot = (unsigned)inode % 256;
    if (known[slot].inode == inode)
        return known[slot].outside;
    AUTO_CLOSE int copy = guest_copy_descriptor(pid, fd);
    if (copy < 0)
        return false;
    known[slot].outside = is_connected_outside(s, pid, copy);
    known[slot].inode = known[slot].outside && !threads_any_unfollowed(s) ? inode : 0;
    return known[slot].outside;
}

struct shared {
    char link[DETRUN_PATH_SIZE];
    bool found;
};

static void look_for_shared(struct supervisor_job *job, struct detrun_task *process, int32_t pid,
                            void *argument)
{
    (void)job;
    (void)process;
    struct shared *shared = argument;
    shared->found = shared->found || holds(pid, shared->link);
}

/* Has a process that is not followed an end of this pipe? */
static bool is_shared_outside(struct supervisor *s, const char *path)
{
    struct shared shared = {.found = false};
    ssize_t n = readlink(path, shared.link, sizeof(shared.link) - 1);
    if (n > 0 && threads_any_unfollowed(s))
        threads_each_unfollowed(s, look_for_shared, &shared);
    return shared.found;
}

#define CONTROLLING_TERMINAL makedev(5, 0)

static bool is_outside(struct supervisor *s, int32_t pid, int fd)
{
    char path[48];
    struct stat st;
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
    if (stat(path, &st) != 0)
        return false;
    if (was_inherited(&st))
        return true;
    if (S_ISFIFO(st.st_mode))
        return is_shared_outside(s, path);
    if (S_ISCHR(st.st_mode))
        return st.st_rdev == CONTROLLING_TERMINAL && terminal_inherited;
    return S_ISSOCK(st.st_mode) && is_outside_socket(s, pid, fd, st.st_ino);
}

/** A call in which a thread waits. */
struct wait {
    struct supervisor *s;
    int32_t tid;
    struct process_call call;
};

static bool one_is_outside(const struct wait *w)
{
    return is_outside(w->s, w->tid, (int)w->call.args[0]);
}

static bool any_polled_is(const struct wait *w)
{
    struct pollfd fds[MAX_POLLED];
    uint64_t n = w->call.args[1] < MAX_POLLED ? w->call.args[1] : MAX_POLLED;
    if (n == 0 || guest_read(w->tid, w->call.args[0], fds, n * sizeof(fds[0])) != 0)
        return false;
    for (uint64_t i = 0; i < n; i++)
        if (fds[i].fd >= 0 && is_outside(w->s, w->tid, fds[i].fd))
            return true;
    return false;
}

static bool any_selected_is(const struct wait *w)
{
    for (int set = 1; set <= 3; set++) {
        fd_set fds;
        size_t size = (w->call.args[0] + 63) / 64 * 8;
        if (w->call.args[set] == 0 || size == 0 || size > sizeof(fds) ||
            guest_read(w->tid, w->call.args[set], &fds, size) != 0)
            continue;
        for (int fd = 0; fd < (int)w->call.args[0]; fd++)
            if (FD_ISSET(fd, &fds) && is_outside(w->s, w->tid, fd))
                return true;
    }
    return false;
}

static bool any_in_epoll_is(const struct wait *w)
{
    char name[32];
    char text[8192];
    snprintf(name, sizeof(name), "fdinfo/%d", (int)w->call.args[0]);
    long n = guest_read_file(w->tid, name, text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    for (const char *at = text; (at = strstr(at, "tfd:")) != NULL; at++)
        if (is_outside(w->s, w->tid, atoi(at + 4)))
            return true;
    return false;
}

struct children {
    const struct detrun_task *process; /**< whose */
    bool found;
};

static void look_for_child(struct supervisor_job *job, struct detrun_task *child, int32_t pid,
                           void *argument)
{
    (void)pid;
    struct children *children = argument;
    struct detrun_task *parent = &job->memory->tasks[child->parent % DETRUN_MAX_TASKS];
    children->found =
        children->found || (!lineage_orphaned(job->memory, child) &&
                            lineage_process(job->memory, parent) == children->process);
}

static bool any_child_is(const struct wait *w)
{
    struct supervisor_who who = task_known(w->s, w->tid);
    struct children children = {.found = false};
    if (!who.task)
        return false;
    children.process = lineage_process(who.job->memory, who.task);
    threads_each_unfollowed(w->s, look_for_child, &children);
    return children.found;
}

static const struct {
    short number;
    bool (*is_outside)(const struct wait *w);
} calls[] = {
    {SYS_read, one_is_outside},         {SYS_readv, one_is_outside},
    {SYS_write, one_is_outside},        {SYS_writev, one_is_outside},
    {SYS_recvfrom, one_is_outside},     {SYS_recvmsg, one_is_outside},
    {SYS_recvmmsg, one_is_outside},     {SYS_sendto, one_is_outside},
    {SYS_sendmsg, one_is_outside},      {SYS_connect, one_is_outside},
    {SYS_accept, one_is_outside},       {SYS_accept4, one_is_outside},
    {SYS_ioctl, one_is_outside},        {SYS_poll, any_polled_is},
    {SYS_ppoll, any_polled_is},         {SYS_select, any_selected_is},
    {SYS_pselect6, any_selected_is},    {SYS_epoll_wait, any_in_epoll_is},
    {SYS_epoll_pwait, any_in_epoll_is}, {SYS_epoll_pwait2, any_in_epoll_is},
    {SYS_wait4, any_child_is},          {SYS_waitid, any_child_is},
};

bool outside_is_awaited(struct supervisor *s, int32_t tid, bool *goes_on)
{
    struct wait w = {.s = s, .tid = tid};
    int error = process_call(tid, &w.call);
    *goes_on = *goes_on || error == -EAGAIN;
    if (error != 0)
        return false;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i].number == w.call.number)
            return calls[i].is_outside(&w);
    return false;
}
