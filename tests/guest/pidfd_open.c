/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <fcntl.h>
#include <poll.h>
#include <sys/pidfd.h>

#include "guest_ids.h"

static long opened(long fd)
{
    if (fd < 0)
        return fd;
    CHECK(fcntl((int)fd, F_GETFD) == FD_CLOEXEC);
    close((int)fd);
    return 0;
}

static long by_libc(pid_t pid)
{
    int fd = pidfd_open(pid ? pid : getpid(), 0);
    return opened(fd < 0 ? -errno : fd);
}

static long by_number(pid_t pid)
{
    return opened(by(BY_SYSCALL, SYS_pidfd_open, pid ? pid : getpid(), 0));
}

static long by_instruction(pid_t pid)
{
    return opened(by(BY_INSTRUCTION, SYS_pidfd_open, pid ? pid : getpid(), 0));
}

/* The descriptor is that of the child: it takes signals, shows its end and can be waited for. */
static void check_use(void)
{
    pid_t child = child_that_waits();
    int fd = pidfd_open(child, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    CHECK(fd >= 0 && poll(&end, 1, 0) == 0);
    CHECK(pidfd_send_signal(fd, SIGKILL, NULL, 0) == 0);
    CHECK(poll(&end, 1, -1) == 1);
    siginfo_t info = {0};
    CHECK(waitid(P_PIDFD, (id_t)fd, &info, WEXITED) == 0 && info.si_pid == child);
    CHECK(info.si_code == CLD_KILLED && info.si_status == SIGKILL);
    close(fd);
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    if (answered(BY_INSTRUCTION))
        check_takes_pid(by_instruction);
    FAILS(EINVAL, pidfd_open(0, 0));
    FAILS(EINVAL, pidfd_open(-1, 0));
    FAILS(EINVAL, pidfd_open(getpid(), 0x40000000));
    check_use();
    return guest_end();
}
