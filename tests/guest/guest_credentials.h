/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Messages that say who sent them. A message here is one byte and what its sender says of itself.
 */
#ifndef DETRUN_GUEST_CREDENTIALS_H
#define DETRUN_GUEST_CREDENTIALS_H

#include <sys/socket.h>

#include "guest_child.h"

/** Room for credentials and one descriptor. */
#define CONTROL_SIZE (CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int)))

struct letter {
    struct msghdr header;
    struct iovec part;
    char byte;
    _Alignas(struct cmsghdr) char control[CONTROL_SIZE];
};

static inline void letter_empty(struct letter *letter)
{
    memset(letter, 0, sizeof(*letter));
    letter->part = (struct iovec){&letter->byte, 1};
    letter->header = (struct msghdr){.msg_iov = &letter->part, .msg_iovlen = 1};
    letter->header.msg_control = letter->control;
    letter->header.msg_controllen = sizeof(letter->control);
}

static inline void put_control(struct cmsghdr *c, int type, const void *data, size_t size)
{
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = type;
    c->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(c), data, size);
}

/** A descriptor first, then credentials: with this pid. */
static inline void letter_from(struct letter *letter, char byte, pid_t pid)
{
    static const int descriptor = 1;
    struct ucred sender = {.pid = pid, .uid = getuid(), .gid = getgid()};
    letter_empty(letter);
    letter->byte = byte;
    struct cmsghdr *c = CMSG_FIRSTHDR(&letter->header);
    put_control(c, SCM_RIGHTS, &descriptor, sizeof(descriptor));
    put_control(CMSG_NXTHDR(&letter->header, c), SCM_CREDENTIALS, &sender, sizeof(sender));
}

static inline void letter_plain(struct letter *letter, char byte)
{
    letter_empty(letter);
    letter->byte = byte;
    letter->header.msg_control = NULL;
    letter->header.msg_controllen = 0;
}

/** What a received letter says; its descriptor, if there is one, is closed. */
static inline struct ucred letter_sender(struct letter *letter)
{
    struct ucred sender = {0};
    int fd;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&letter->header); c;
         c = CMSG_NXTHDR(&letter->header, c)) {
        if (c->cmsg_type == SCM_CREDENTIALS)
            memcpy(&sender, CMSG_DATA(c), sizeof(sender));
        if (c->cmsg_type == SCM_RIGHTS) {
            memcpy(&fd, CMSG_DATA(c), sizeof(fd));
            close(fd);
        }
    }
    return sender;
}

static inline void check_sender(struct letter *letter, char byte, pid_t pid)
{
    struct ucred sender = letter_sender(letter);
    CHECK(letter->byte == byte && sender.pid == pid);
    CHECK(sender.uid == getuid() && sender.gid == getgid());
}

/** Datagrams, whose receiver asks for credentials. */
static inline void mailbox(int ends[2])
{
    static const int on = 1;
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    CHECK(setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0);
}

static inline long result_of(long result)
{
    return result == -1 ? -errno : result;
}

#endif
