/* SPDX-License-Identifier: MIT */
#include "guest_realpath.h"

char *__realpath_chk(const char *path, char *resolved, size_t room);

static const char *checked(const char *path)
{
    static char buf[PATH_MAX];
    return __realpath_chk(path, buf, sizeof(buf));
}

int main(void)
{
    check_resolved(checked);
    /* A buffer smaller than the longest path ends the program. */
    pid_t pid = fork();
    if (pid == 0) {
        char buf[8];
        CHECK(freopen("/dev/null", "w", stderr) != NULL);
        __realpath_chk("/", buf, sizeof(buf));
        _exit(0);
    }
    check_killed(pid, SIGABRT);
    return guest_end();
}
