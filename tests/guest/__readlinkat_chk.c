/* SPDX-License-Identifier: MIT */
#include "guest_link.h"

ssize_t __readlinkat_chk(int dir, const char *path, char *buf, size_t size, size_t room);

static ssize_t by_symbol(const char *path, char *buf, size_t size)
{
    return __readlinkat_chk(AT_FDCWD, path, buf, size, size);
}

int main(void)
{
    check_links(by_symbol);
    show("self", getpid());
    /* A buffer smaller than its size ends the program. */
    pid_t pid = fork();
    if (pid == 0) {
        char buf[8];
        CHECK(freopen("/dev/null", "w", stderr) != NULL);
        __readlinkat_chk(AT_FDCWD, "/proc/self", buf, 16, 8);
        _exit(0);
    }
    check_killed(pid, SIGABRT);
    return guest_end();
}
