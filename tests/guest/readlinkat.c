/* SPDX-License-Identifier: MIT */
#include "guest_link.h"

static ssize_t by_symbol(const char *path, char *buf, size_t size)
{
    return readlinkat(AT_FDCWD, path, buf, size);
}

static ssize_t by_number(const char *path, char *buf, size_t size)
{
    return syscall(SYS_readlinkat, AT_FDCWD, path, buf, size);
}

static int proc;

static ssize_t from_proc(const char *path, char *buf, size_t size)
{
    return readlinkat(proc, path, buf, size);
}

int main(void)
{
    check_links(by_symbol);
    check_links(by_number);
    proc = open("/proc", O_RDONLY | O_DIRECTORY);
    check_link(from_proc, "self", text("%d", getpid()));
    check_link(from_proc, "thread-self", text("%d/task/%d", getpid(), getpid()));
    CHECK(close(proc) == 0);
    show("self", getpid());
    return guest_end();
}
