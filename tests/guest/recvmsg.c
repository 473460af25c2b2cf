/* SPDX-License-Identifier: MIT */
#include "guest_credentials.h"

typedef long receiver_function(int fd, struct msghdr *message, int flags);

static long by_symbol(int fd, struct msghdr *message, int flags)
{
    return result_of(recvmsg(fd, message, flags));
}

static long by_number(int fd, struct msghdr *message, int flags)
{
    return by(BY_SYSCALL, SYS_recvmsg, fd, (long)message, flags);
}

/* Of a child that is gone, which said who it is or left that to the kernel. */
static void check_child(receiver_function *receive, bool says)
{
    struct letter letter;
    int ends[2];
    mailbox(ends);
    pid_t child = fork();
    if (child == 0) {
        if (says)
            letter_from(&letter, 'x', getpid());
        else
            letter_plain(&letter, 'x');
        _exit(sendmsg(ends[1], &letter.header, 0) == 1 ? 0 : 1);
    }
    check_exit(child, 0);
    letter_empty(&letter);
    CHECK(receive(ends[0], &letter.header, MSG_PEEK) == 1);
    check_sender(&letter, 'x', child);
    letter_empty(&letter);
    CHECK(receive(ends[0], &letter.header, 0) == 1);
    CHECK(letter.header.msg_flags == 0);
    show("sender", letter_sender(&letter).pid);
    close(ends[0]);
    close(ends[1]);
}

/* Room for a part of what there is. */
static void check_truncation(receiver_function *receive)
{
    struct letter letter;
    int ends[2];
    mailbox(ends);
    for (size_t room = 0; room < CMSG_LEN(sizeof(struct ucred)); room++) {
        CHECK(send(ends[1], "y", 1, 0) == 1);
        letter_empty(&letter);
        memset(letter.control, 0xa5, sizeof(letter.control));
        letter.header.msg_controllen = room;
        CHECK(receive(ends[0], &letter.header, 0) == 1 && letter.byte == 'y');
        CHECK(letter.header.msg_flags & MSG_CTRUNC);
        for (size_t i = room; i < sizeof(letter.control); i++)
            CHECK(letter.control[i] == (char)0xa5);
        if (room >= CMSG_LEN(sizeof(pid_t)))
            CHECK(*(pid_t *)(void *)CMSG_DATA((struct cmsghdr *)(void *)letter.control) ==
                  getpid());
    }
    letter_empty(&letter);
    CHECK(receive(ends[0], &letter.header, MSG_DONTWAIT) == -EAGAIN);
    CHECK(receive(ends[0], bad_pointer(), 0) == -EFAULT &&
          receive(-1, &letter.header, 0) == -EBADF);
}

/* With times in microseconds and in nanoseconds: between two readings of the clock. */
static void check_stamp(receiver_function *receive, int option, long long unit_ns)
{
    static const int on = 1;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct timespec))];
    struct letter letter;
    struct timespec ts;
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    CHECK(setsockopt(ends[0], SOL_SOCKET, option, &on, sizeof(on)) == 0);
    long long before = clock_ns(CLOCK_REALTIME) / unit_ns * unit_ns;
    CHECK(send(ends[1], "z", 1, 0) == 1);
    letter_empty(&letter);
    letter.header.msg_control = control;
    letter.header.msg_controllen = sizeof(control);
    CHECK(receive(ends[0], &letter.header, 0) == 1 && letter.header.msg_flags == 0);
    struct cmsghdr *c = CMSG_FIRSTHDR(&letter.header);
    CHECK(c && c->cmsg_type == option && c->cmsg_len == CMSG_LEN(sizeof(ts)));
    memcpy(&ts, CMSG_DATA(c), sizeof(ts));
    long long stamp = ts.tv_sec * 1000000000LL + ts.tv_nsec * unit_ns;
    CHECK(before <= stamp && stamp <= clock_ns(CLOCK_REALTIME));
    show("stamp", stamp);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    receiver_function *const receivers[] = {by_symbol, by_number};
    for (int i = 0; i < 2; i++) {
        check_child(receivers[i], false);
        check_child(receivers[i], true);
        check_truncation(receivers[i]);
        check_stamp(receivers[i], SO_TIMESTAMP, 1000);
        check_stamp(receivers[i], SO_TIMESTAMPNS, 1);
    }
    return guest_end();
}
