/* SPDX-License-Identifier: MIT */
#include "guest_credentials.h"

#define LETTERS 4

typedef long receiver_function(int fd, struct mmsghdr *messages, unsigned n, int flags);

static long by_symbol(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    return result_of(recvmmsg(fd, messages, n, flags, NULL));
}

static long by_number(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    return by(BY_SYSCALL, SYS_recvmmsg, fd, (long)messages, n, flags, 0);
}

static struct letter letters[LETTERS];
static struct mmsghdr messages[LETTERS];

static pid_t child_that_writes(int fd)
{
    pid_t child = fork();
    if (child == 0) {
        struct letter letter;
        letter_from(&letter, 'a', getpid());
        CHECK(sendmsg(fd, &letter.header, 0) == 1 && send(fd, "b", 1, 0) == 1);
        _exit(0);
    }
    check_exit(child, 0);
    return child;
}

static void check_receiver(receiver_function *receive)
{
    int ends[2];
    mailbox(ends);
    pid_t first = child_that_writes(ends[1]);
    CHECK(send(ends[1], "c", 1, 0) == 1);
    for (int i = 0; i < LETTERS; i++) {
        letter_empty(&letters[i]);
        messages[i] = (struct mmsghdr){.msg_hdr = letters[i].header};
    }
    CHECK(receive(ends[0], messages, LETTERS, MSG_DONTWAIT) == 3);
    for (int i = 0; i < 3; i++) {
        letters[i].header = messages[i].msg_hdr;
        CHECK(messages[i].msg_len == 1);
        check_sender(&letters[i], (char)('a' + i), i < 2 ? first : getpid());
    }
    show("sender", first);
    CHECK(receive(ends[0], messages, LETTERS, MSG_DONTWAIT) == -EAGAIN);
    CHECK(receive(ends[0], bad_pointer(), 1, 0) == -EFAULT);
    CHECK(receive(-1, messages, 1, 0) == -EBADF);
}

int main(void)
{
    check_receiver(by_symbol);
    check_receiver(by_number);
    return guest_end();
}
