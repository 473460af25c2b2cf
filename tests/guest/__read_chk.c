/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/wait.h>

#include "guest_device.h"
#include "guest_signalfd.h"

/* What read becomes with _FORTIFY_SOURCE. */
extern ssize_t __read_chk(int fd, void *buf, size_t len, size_t room);

static ssize_t reader(int fd, void *buf, size_t len)
{
    return __read_chk(fd, buf, len, len);
}

int main(void)
{
    char bytes[8];
    check_reader(reader);
    check_signalfd(reader);
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(freopen("/dev/null", "w", stderr));
        CHECK(__read_chk(device_open("/dev/urandom"), bytes, 9, 8) < 0);
        _exit(1);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    return guest_end();
}
