/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Pids that go through fcntl, by whatever door.
 */
#ifndef DETRUN_GUEST_FCNTL_H
#define DETRUN_GUEST_FCNTL_H

#include <limits.h>
#include <sys/socket.h>

#include "guest_device.h"
#include "guest_signal.h"

/** @return the value or -errno */
typedef long fcntl_function(int fd, int command, long argument);

static inline void check_owner(fcntl_function *call, int fd)
{
    struct f_owner_ex *owner = guarded(sizeof(*owner));
    CHECK(call(fd, F_GETOWN, 0) == 0);
    CHECK(call(fd, F_SETOWN, getpid()) == 0 && call(fd, F_GETOWN, 0) == getpid());
    CHECK(call(fd, F_GETOWN_EX, (long)owner) == 0 && guard_holds(owner));
    CHECK(owner->type == F_OWNER_PID && owner->pid == getpid());
    show("owner", owner->pid);
    CHECK(call(fd, F_SETOWN, -getpgrp()) == 0 && call(fd, F_GETOWN, 0) == -getpgrp());
    CHECK(call(fd, F_GETOWN_EX, (long)owner) == 0);
    CHECK(owner->type == F_OWNER_PGRP && owner->pid == getpgrp());
    *owner = (struct f_owner_ex){F_OWNER_TID, gettid()};
    CHECK(call(fd, F_SETOWN_EX, (long)owner) == 0 && owner->pid == gettid());
    owner->pid = 0;
    CHECK(call(fd, F_GETOWN_EX, (long)owner) == 0);
    CHECK(owner->type == F_OWNER_TID && owner->pid == gettid());
    *owner = (struct f_owner_ex){99, getpid()};
    CHECK(call(fd, F_SETOWN_EX, (long)owner) == -EINVAL);
    CHECK(call(fd, F_SETOWN_EX, (long)bad_pointer()) == -EFAULT);
    CHECK(call(fd, F_GETOWN_EX, (long)bad_pointer()) == -EFAULT);
    CHECK(call(fd, F_SETOWN, 999999999) == -ESRCH && call(fd, F_SETOWN, INT_MIN) == -EINVAL);
    CHECK(call(-1, F_SETOWN_EX, (long)bad_pointer()) == -EBADF);
    CHECK(call(-1, F_SETOWN, getpid()) == -EBADF && call(-1, F_GETOWN, 0) == -EBADF);
}

/** Input raises the chosen signal in its owner, which says which descriptor. */
static inline void check_async(fcntl_function *call)
{
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    check_owner(call, ends[0]);
    install(SIGRTMIN, take, 0);
    CHECK(call(ends[0], F_SETOWN, getpid()) == 0 && call(ends[0], F_SETSIG, SIGRTMIN) == 0);
    CHECK(call(ends[0], F_SETFL, O_ASYNC) == 0 && write(ends[1], "x", 1) == 1);
    while (taken == 0)
        usleep(1000);
    CHECK(taken_info.si_fd == ends[0] && taken_info.si_code == POLL_IN);
    taken = 0;
    close(ends[0]);
    close(ends[1]);
}

static inline pid_t child_that_locks(fcntl_function *call, int fd, int command)
{
    int ends[2];
    char byte;
    struct flock lock = {.l_type = F_WRLCK, .l_start = 10, .l_len = 5};
    CHECK(pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(call(fd, command, (long)&lock) == 0 && write(ends[1], "x", 1) == 1);
        for (;;)
            pause();
    }
    CHECK(read(ends[0], &byte, 1) == 1);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static inline void check_locks(fcntl_function *call)
{
    struct flock *lock = guarded(sizeof(*lock));
    int fd = memfd_create("locks", 0);
    CHECK(fd >= 0 && ftruncate(fd, 100) == 0);
    pid_t child = child_that_locks(call, fd, F_SETLK);
    for (int command = F_GETLK;; command = F_OFD_GETLK) {
        *lock = (struct flock){.l_type = F_RDLCK, .l_len = 100};
        CHECK(call(fd, command, (long)lock) == 0 && guard_holds(lock));
        CHECK(lock->l_type == F_WRLCK && lock->l_start == 10 && lock->l_pid == child);
        if (command == F_OFD_GETLK)
            break;
    }
    show("holder", lock->l_pid);
    *lock = (struct flock){.l_type = F_RDLCK, .l_start = 50, .l_len = 1, .l_pid = 4711};
    CHECK(call(fd, F_GETLK, (long)lock) == 0 && lock->l_type == F_UNLCK && lock->l_pid == 4711);
    CHECK(call(fd, F_OFD_GETLK, (long)lock) == -EINVAL);
    lock->l_type = F_WRLCK;
    lock->l_start = 12;
    CHECK(call(fd, F_SETLK, (long)lock) == -EAGAIN);
    CHECK(call(fd, F_GETLK, (long)bad_pointer()) == -EFAULT);
    CHECK(call(fd, F_OFD_SETLK, (long)bad_pointer()) == -EFAULT);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK(call(fd, F_SETLKW, (long)lock) == 0);
    *lock = (struct flock){.l_type = F_WRLCK, .l_start = 60, .l_len = 1};
    int other = open("/proc/self/exe", O_RDONLY);
    CHECK(call(other, F_OFD_SETLK, (long)lock) == -EBADF);
    close(other);
    close(fd);
}

/** A number that was another file's when it was last read, and was closed behind libc's back. */
static inline void check_duplicates(fcntl_function *call)
{
    char byte;
    int device = device_open("/dev/urandom");
    for (int command = F_DUPFD;; command = F_DUPFD_CLOEXEC) {
        int zero = (int)call(device_open("/dev/zero"), F_DUPFD, 200);
        CHECK(zero == 200 && read(zero, &byte, 1) == 1 && byte == 0);
        CHECK(by(BY_INSTRUCTION, SYS_close, zero) == 0);
        CHECK(call(device, command, 200) == 200);
        check_device(200);
        CHECK(call(200, F_GETFD, 0) == (command == F_DUPFD ? 0 : FD_CLOEXEC));
        CHECK(close(200) == 0);
        if (command == F_DUPFD_CLOEXEC)
            break;
    }
    CHECK(call(device, F_DUPFD, -1) == -EINVAL && call(-1, F_DUPFD, 0) == -EBADF);
    close(device);
}

static inline void check_fcntl(fcntl_function *call)
{
    check_async(call);
    check_locks(call);
    check_duplicates(call);
    CHECK(call(0, F_GETFL, 0) >= 0 && call(0, 99999, 0) == -EINVAL);
}

#endif
