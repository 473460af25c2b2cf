/* SPDX-License-Identifier: MIT */
#include "real.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "detrun/abi.h"
#include "timespec.h"

static long pass(long number, long a, long b, long c, long d)
{
    return syscall(number, a, b, c, d, 0L, (long)DETRUN_PASS);
}

pid_t real_getpid(void)
{
    return (pid_t)pass(SYS_getpid, 0, 0, 0, 0);
}

int64_t real_clock_ns(clockid_t id)
{
    struct timespec now = {0};
    pass(SYS_clock_gettime, id, (long)&now, 0, 0);
    return timespec_ns(&now);
}

uint64_t real_now_ns(void)
{
    return (uint64_t)real_clock_ns(CLOCK_MONOTONIC);
}

void real_sigmask(int how, uint64_t signals, uint64_t *old)
{
    pass(SYS_rt_sigprocmask, how, (long)&signals, (long)old, sizeof(signals));
}

void real_sigdefault(int number)
{
    static const uint64_t action[4]; /* the kernel's struct: handler, flags, restorer, mask */
    pass(SYS_rt_sigaction, number, (long)action, 0, sizeof(uint64_t));
}

int real_sigwait(uint64_t signals, siginfo_t *info, const struct timespec *timeout)
{
    return (int)pass(SYS_rt_sigtimedwait, (long)&signals, (long)info, (long)timeout,
                     sizeof(signals));
}

long real_sendmsg(int fd, const struct msghdr *message, int flags)
{
    return pass(SYS_sendmsg, fd, (long)message, flags, 0);
}

void real_execve(const char *path, char *const *argv, char *const *envp)
{
    long number = SYS_execve;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(path), "S"(argv), "d"(envp)
                     : "rcx", "r11", "memory");
}

void real_pause(uint32_t ns)
{
    struct timespec pause = {.tv_nsec = ns};
    pass(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&pause, 0);
}
