/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the kernel itself says, also to a launcher inside a job, whose calls are answered too.
 */
#ifndef DETRUN_LAUNCHER_REAL_H
#define DETRUN_LAUNCHER_REAL_H

#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

pid_t real_getpid(void);

int64_t real_clock_ns(clockid_t id);

/** CLOCK_MONOTONIC */
uint64_t real_now_ns(void);

/** Up to a second. */
void real_pause(uint32_t ns);

/** Signals as the kernel has them: libc keeps some numbers for itself, musl SIGRTMIN as well. */
#define REAL_SIGNAL(number) (UINT64_C(1) << ((number)-1))
void real_sigmask(int how, uint64_t signals, uint64_t *old);
void real_sigdefault(int number);
/** As sigtimedwait(), and without timeout as sigwaitinfo(). */
int real_sigwait(uint64_t signals, siginfo_t *info, const struct timespec *timeout);

/** Behind the filter, before anybody answers. @return bytes, or -1 with errno */
long real_sendmsg(int fd, const struct msghdr *message, int flags);

/** Past the library, which would put itself back. Only returns when that fails. */
void real_execve(const char *path, char *const *argv, char *const *envp);

#endif
