/* SPDX-License-Identifier: MIT */
#include "channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "real.h"

union control {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
};

int channel_open(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
}

int channel_send(int end, struct channel_message message, int fd)
{
    union control control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
                                        .cmsg_level = SOL_SOCKET,
                                        .cmsg_type = SCM_RIGHTS}};
    struct iovec data = {&message, sizeof(message)};
    struct msghdr packet = {.msg_iov = &data, .msg_iovlen = 1};
    if (fd >= 0) {
        memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
        packet.msg_control = &control;
        packet.msg_controllen = sizeof(control);
    }
    return real_sendmsg(end, &packet, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int channel_receive(int end, struct channel_message *message, int *fd)
{
    union control control;
    struct iovec data = {message, sizeof(*message)};
    struct msghdr packet = {.msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(end, &packet, MSG_CMSG_CLOEXEC);
    *fd = -1;
    if (n <= 0)
        return n < 0 ? -errno : 0;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&packet);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(header), sizeof(*fd));
    return 1;
}
