/* SPDX-License-Identifier: MIT */
#include "guest_credentials.h"

typedef long sender_function(int fd, const struct msghdr *message, int flags);

static long by_symbol(int fd, const struct msghdr *message, int flags)
{
    return result_of(sendmsg(fd, message, flags));
}

static long by_number(int fd, const struct msghdr *message, int flags)
{
    return by(BY_SYSCALL, SYS_sendmsg, fd, (long)message, flags);
}

static void check_own(sender_function *send_letter)
{
    struct letter letter;
    struct letter before;
    int ends[2];
    mailbox(ends);
    letter_from(&letter, 'a', getpid());
    before = letter;
    CHECK(send_letter(ends[1], &letter.header, 0) == 1);
    CHECK(memcmp(&letter, &before, sizeof(letter)) == 0);
    letter_empty(&letter);
    CHECK(recvmsg(ends[0], &letter.header, 0) == 1);
    show("sender", letter_sender(&letter).pid);
    check_sender(&letter, 'a', getpid());
    letter_plain(&letter, 'b');
    CHECK(send_letter(ends[1], &letter.header, 0) == 1);
    letter_empty(&letter);
    CHECK(recvmsg(ends[0], &letter.header, 0) == 1);
    check_sender(&letter, 'b', getpid());
    close(ends[0]);
    close(ends[1]);
}

/* As root a process may speak for another; nobody may for one that is not there. */
static void check_strangers(sender_function *send_letter)
{
    struct letter letter;
    int ends[2];
    pid_t child = child_that_waits();
    mailbox(ends);
    letter_from(&letter, 'c', child);
    long result = send_letter(ends[1], &letter.header, 0);
    CHECK(geteuid() == 0 ? result == 1 : result == -EPERM);
    if (result == 1) {
        letter_empty(&letter);
        CHECK(recvmsg(ends[0], &letter.header, 0) == 1);
        check_sender(&letter, 'c', child);
    }
    letter_from(&letter, 'd', 999999999);
    CHECK(send_letter(ends[1], &letter.header, 0) == (geteuid() == 0 ? -ESRCH : -EPERM));
    CHECK(recv(ends[0], &letter.byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    letter_from(&letter, 'e', getpid());
    letter.header.msg_control = bad_pointer();
    CHECK(send_letter(ends[1], &letter.header, 0) == -EFAULT);
    CHECK(send_letter(ends[1], bad_pointer(), 0) == -EFAULT);
    letter_from(&letter, 'f', getpid());
    CMSG_NXTHDR(&letter.header, CMSG_FIRSTHDR(&letter.header))->cmsg_len--;
    CHECK(send_letter(ends[1], &letter.header, 0) == -EINVAL);
    CHECK(send_letter(-1, &letter.header, 0) == -EBADF);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

int main(void)
{
    check_own(by_symbol);
    check_own(by_number);
    check_strangers(by_symbol);
    check_strangers(by_number);
    return guest_end();
}
