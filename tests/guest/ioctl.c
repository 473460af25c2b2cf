/* SPDX-License-Identifier: MIT */
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <linux/random.h>
#include <linux/sockios.h>

#include "guest_device.h"
#include "guest_tty.h"

typedef long ioctl_function(int fd, unsigned long request, void *argument);

static ioctl_function *call;

static long by_symbol(int fd, unsigned long request, void *argument)
{
    int result = ioctl(fd, request, argument);
    return result == -1 ? -errno : result;
}

static long by_number(int fd, unsigned long request, void *argument)
{
    return by(BY_SYSCALL, SYS_ioctl, fd, (long)request, (long)argument);
}

static void check_owner(int fd, unsigned long set, unsigned long get)
{
    int *id = guarded(sizeof(*id));
    *id = getpid();
    CHECK(call(fd, set, id) == 0 && *id == getpid());
    *id = 0;
    CHECK(call(fd, get, id) == 0 && *id == getpid() && guard_holds(id));
    show("owner", *id);
    *id = -getpgrp();
    CHECK(call(fd, set, id) == 0 && call(fd, get, id) == 0 && *id == -getpgrp());
    *id = 999999999;
    CHECK(call(fd, set, id) == -ESRCH);
    CHECK(call(fd, set, bad_pointer()) == -EFAULT && call(fd, get, bad_pointer()) == -EFAULT);
    CHECK(call(-1, set, bad_pointer()) == -EBADF && call(-1, get, id) == -EBADF);
}

static void check_terminal(void)
{
    int *id = guarded(sizeof(*id));
    pid_t child = child_that_waits();
    signal(SIGTTOU, SIG_IGN);
    CHECK(setpgid(child, child) == 0);
    *id = child;
    CHECK(call(0, TIOCSPGRP, id) == 0 && *id == child && tcgetpgrp(0) == child);
    *id = 0;
    CHECK(call(0, TIOCGPGRP, id) == 0 && *id == child && guard_holds(id));
    show("foreground", *id);
    CHECK(call(0, TIOCGSID, id) == 0 && *id == getsid(0));
    *id = getpgrp();
    CHECK(call(0, TIOCSPGRP, id) == 0 && tcgetpgrp(0) == getpgrp());
    *id = 999999999;
    CHECK(call(0, TIOCSPGRP, id) == -ESRCH);
    CHECK(call(0, TIOCSPGRP, bad_pointer()) == -EFAULT);
    CHECK(call(0, TIOCGPGRP, bad_pointer()) == -EFAULT);
    CHECK(kill(child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
}

/* Of the last packet that came: between two readings of the clock. */
static void check_stamp(unsigned long request, long long unit_ns)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(own);
    struct timespec *ts = guarded(sizeof(*ts));
    char byte;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK(bind(fd, (struct sockaddr *)&own, size) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&own, &size) == 0);
    CHECK(call(fd, request, ts) == -ENOENT);
    long long before = clock_ns(CLOCK_REALTIME) / unit_ns * unit_ns;
    CHECK(sendto(fd, "z", 1, 0, (struct sockaddr *)&own, size) == 1);
    CHECK(recv(fd, &byte, 1, 0) == 1);
    CHECK(call(fd, request, ts) == 0 && guard_holds(ts));
    long long stamp = ts->tv_sec * 1000000000LL + ts->tv_nsec * unit_ns;
    CHECK(before <= stamp && stamp <= clock_ns(CLOCK_REALTIME));
    show("stamp", stamp);
    CHECK(call(fd, request, bad_pointer()) == -EFAULT);
    close(fd);
}

static void check_ioctl(ioctl_function *function)
{
    int ends[2];
    int n = 0;
    call = function;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    check_owner(ends[0], FIOSETOWN, FIOGETOWN);
    check_owner(ends[1], SIOCSPGRP, SIOCGPGRP);
    on_terminal(check_terminal);
    CHECK(write(ends[1], "abc", 3) == 3 && call(ends[0], FIONREAD, &n) == 0 && n == 3);
    check_stamp(SIOCGSTAMP_OLD, 1000);
    check_stamp(SIOCGSTAMPNS_OLD, 1);
    int null = open("/dev/null", O_RDONLY);
    CHECK(call(null, TIOCGPGRP, &n) == -ENOTTY && call(null, TIOCSPGRP, &n) == -ENOTTY);
    CHECK(call(device_open("/dev/urandom"), RNDGETENTCNT, &n) == 0 && n > 0);
}

int main(void)
{
    check_ioctl(by_symbol);
    check_ioctl(by_number);
    return guest_end();
}
