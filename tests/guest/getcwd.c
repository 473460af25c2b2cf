/* SPDX-License-Identifier: MIT */
#include "guest_cwd.h"

static ssize_t by_symbol(char *buf, size_t size)
{
    return getcwd(buf, size) == buf ? (ssize_t)strlen(buf) : -1;
}

static ssize_t by_number(char *buf, size_t size)
{
    ssize_t n = syscall(SYS_getcwd, buf, size);
    CHECK(n < 0 || n == (ssize_t)strlen(buf) + 1);
    return n < 0 ? n : n - 1;
}

static void check_allocated(void)
{
    const char *own = text("/proc/%d", getpid());
    CHECK(chdir("/proc/self") == 0);
    char *path = getcwd(NULL, 0);
    CHECK(path && strcmp(path, own) == 0);
    free(path);
    path = getcwd(NULL, strlen(own) + 1);
    CHECK(path && strcmp(path, own) == 0);
    free(path);
    errno = 0;
    CHECK(getcwd(NULL, strlen(own)) == NULL && errno == ERANGE);
    CHECK(chdir("/usr") == 0);
    path = getcwd(NULL, 0);
    CHECK(path && strcmp(path, "/usr") == 0);
    free(path);
}

int main(void)
{
    char buf[8];
    check_cwd(by_symbol);
    check_cwd(by_number);
    check_allocated();
    errno = 0;
    CHECK(getcwd(buf, 0) == NULL && errno == EINVAL);
    FAILS(EFAULT, by_number(bad_pointer(), 64));
    return guest_end();
}
