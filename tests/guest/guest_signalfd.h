/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What is read from a signalfd.
 */
#ifndef DETRUN_GUEST_SIGNALFD_H
#define DETRUN_GUEST_SIGNALFD_H

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "guest_signal.h"

typedef ssize_t signalfd_reader(int fd, void *buf, size_t len);

static inline void check_record(const struct signalfd_siginfo *record, int number, pid_t sender)
{
    CHECK(record->ssi_signo == (uint32_t)number && record->ssi_uid == getuid());
    CHECK(record->ssi_pid == (uint32_t)sender);
}

/** Several records at once, some of senders that are gone; then one at a time, and none. */
static inline void check_signals_read(signalfd_reader *reader, int fd)
{
    struct signalfd_siginfo *records = guarded(3 * sizeof(*records));
    union sigval value = {.sival_int = 77};
    pid_t sender = signal_of_grandchild(SIGUSR1);
    pid_t child = child_that_exits(5);
    check_exit(child, 5);
    CHECK(sigqueue(getpid(), SIGRTMIN, value) == 0);
    CHECK(reader(fd, records, 3 * sizeof(*records)) == 3 * sizeof(*records));
    CHECK(guard_holds(records));
    check_record(&records[0], SIGUSR1, sender);
    CHECK(records[1].ssi_signo == SIGCHLD && records[1].ssi_code == CLD_EXITED);
    check_record(&records[2], SIGRTMIN, getpid());
    CHECK(records[2].ssi_int == 77 && records[2].ssi_code == SI_QUEUE);
    show("sender", records[0].ssi_pid);
    child = child_that_exits(6);
    check_exit(child, 6);
    CHECK(reader(fd, records, sizeof(*records)) == sizeof(*records));
    check_record(records, SIGCHLD, child);
    CHECK(records->ssi_status == 6);
    CHECK(!under_detrun() || (records->ssi_utime == 0 && records->ssi_stime == 0));
    FAILS(EAGAIN, reader(fd, records, sizeof(*records)));
    FAILS(EINVAL, reader(fd, records, 100));
}

static inline void check_signalfd(signalfd_reader *reader)
{
    sigset_t set;
    uint64_t count = 3;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGRTMIN);
    CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    CHECK(fd >= 0);
    check_signals_read(reader, fd);
    CHECK(dup2(eventfd(9, 0), fd) == fd && reader(fd, &count, sizeof(count)) == 8 && count == 9);
    CHECK(dup2(signalfd(-1, &set, SFD_NONBLOCK), fd) == fd);
    check_signals_read(reader, fd);
    CHECK(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
    close(fd);
}

#endif
