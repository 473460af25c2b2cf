/* SPDX-License-Identifier: MIT */
#include "guest_cwd.h"

char *__getcwd_chk(char *buf, size_t size, size_t room);

static ssize_t by_symbol(char *buf, size_t size)
{
    return __getcwd_chk(buf, size, size) == buf ? (ssize_t)strlen(buf) : -1;
}

int main(void)
{
    check_cwd(by_symbol);
    /* A buffer smaller than its size ends the program. */
    pid_t pid = fork();
    if (pid == 0) {
        char buf[8];
        CHECK(freopen("/dev/null", "w", stderr) != NULL);
        __getcwd_chk(buf, 16, 8);
        _exit(0);
    }
    check_killed(pid, SIGABRT);
    return guest_end();
}
