/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <sys/un.h>

#include "guest_credentials.h"

static long by_symbol(int fd, int level, int name, void *value, socklen_t *len)
{
    return result_of(getsockopt(fd, level, name, value, len));
}

static long by_number(int fd, int level, int name, void *value, socklen_t *len)
{
    return by(BY_SYSCALL, SYS_getsockopt, fd, level, name, (long)value, (long)len);
}

typedef long option_getter(int fd, int level, int name, void *value, socklen_t *len);

static void check_peer(option_getter *get, int fd, pid_t pid)
{
    struct ucred *peer = guarded(sizeof(*peer));
    socklen_t len = sizeof(*peer) + 100;
    CHECK(get(fd, SOL_SOCKET, SO_PEERCRED, peer, &len) == 0 && guard_holds(peer));
    CHECK(len == sizeof(*peer) && peer->pid == pid && peer->uid == getuid());
    show("peer", peer->pid);
    memset(peer, 0xa5, sizeof(*peer));
    len = sizeof(pid_t);
    CHECK(get(fd, SOL_SOCKET, SO_PEERCRED, peer, &len) == 0 && len == sizeof(pid_t));
    CHECK(peer->pid == pid && peer->uid == 0xa5a5a5a5);
    len = 0;
    CHECK(get(fd, SOL_SOCKET, SO_PEERCRED, peer, &len) == 0 && len == 0);
}

/* A peer that connected and is gone. */
static void check_connection(option_getter *get)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t size = offsetof(struct sockaddr_un, sun_path); /* the kernel chooses a name */
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0);
    size = sizeof(address);
    CHECK(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
    pid_t child = fork();
    if (child == 0) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        CHECK(connect(fd, (struct sockaddr *)&address, size) == 0);
        check_peer(get, fd, getppid());
        _exit(0);
    }
    check_exit(child, 0);
    int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0);
    check_peer(get, fd, child);
    close(fd);
    close(listener);
}

static void check_getter(option_getter *get)
{
    int ends[2];
    int type = 0;
    socklen_t len = sizeof(type);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    check_peer(get, ends[0], getpid());
    check_connection(get);
    CHECK(get(ends[0], SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM);
    CHECK(get(ends[0], SOL_SOCKET, SO_PEERCRED, bad_pointer(), &len) == -EFAULT);
    CHECK(get(ends[0], SOL_SOCKET, SO_PEERCRED, &type, bad_pointer()) == -EFAULT);
    CHECK(get(0, SOL_SOCKET, SO_PEERCRED, &type, &len) == -ENOTSOCK);
    CHECK(get(-1, SOL_SOCKET, SO_PEERCRED, &type, &len) == -EBADF);
}

int main(void)
{
    check_getter(by_symbol);
    check_getter(by_number);
    return guest_end();
}
