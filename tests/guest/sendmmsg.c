/* SPDX-License-Identifier: MIT */
#include "guest_credentials.h"

#define LETTERS 6

typedef long sender_function(int fd, struct mmsghdr *messages, unsigned n, int flags);

static long by_symbol(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    return result_of(sendmmsg(fd, messages, n, flags));
}

static long by_number(int fd, struct mmsghdr *messages, unsigned n, int flags)
{
    return by(BY_SYSCALL, SYS_sendmmsg, fd, (long)messages, n, flags);
}

static struct letter letters[LETTERS];
static struct mmsghdr messages[LETTERS];

/* With credentials where the bit is set, of a process that is not there where the other one is. */
static void write_letters(unsigned said, unsigned wrong)
{
    for (int i = 0; i < LETTERS; i++) {
        char byte = (char)('a' + i);
        if ((said | wrong) >> i & 1)
            letter_from(&letters[i], byte, wrong >> i & 1 ? 999999999 : getpid());
        else
            letter_plain(&letters[i], byte);
        messages[i] = (struct mmsghdr){.msg_hdr = letters[i].header, .msg_len = 77};
    }
}

static void check_sent(int fd, int n)
{
    for (int i = 0; i < n; i++) {
        struct letter letter;
        letter_empty(&letter);
        CHECK(messages[i].msg_len == 1);
        CHECK(recvmsg(fd, &letter.header, 0) == 1);
        check_sender(&letter, (char)('a' + i), getpid());
    }
    CHECK(n == LETTERS || messages[n].msg_len == 77);
    char byte;
    FAILS(EAGAIN, recv(fd, &byte, 1, MSG_DONTWAIT));
}

static void check_sender_function(sender_function *send_letters)
{
    int ends[2];
    long refused = geteuid() == 0 ? -ESRCH : -EPERM;
    mailbox(ends);
    for (unsigned said = 0; said < 1U << LETTERS; said += 5) {
        write_letters(said, 0);
        CHECK(send_letters(ends[1], messages, LETTERS, 0) == LETTERS);
        check_sent(ends[0], LETTERS);
        write_letters(said, 1U << 3);
        CHECK(send_letters(ends[1], messages, LETTERS, 0) == 3);
        check_sent(ends[0], 3);
        write_letters(said, 1);
        CHECK(send_letters(ends[1], messages, LETTERS, 0) == refused);
        check_sent(ends[0], 0);
    }
    write_letters(0x3f, 0);
    CHECK(send_letters(ends[1], messages, 0, 0) == 0);
    messages[2].msg_hdr.msg_control = bad_pointer();
    CHECK(send_letters(ends[1], messages, LETTERS, 0) == 2);
    check_sent(ends[0], 2);
    CHECK(send_letters(ends[1], bad_pointer(), LETTERS, 0) == -EFAULT);
    CHECK(send_letters(-1, messages, LETTERS, 0) == -EBADF);
}

int main(void)
{
    check_sender_function(by_symbol);
    check_sender_function(by_number);
    show("sender", getpid());
    return guest_end();
}
