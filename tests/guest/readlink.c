/* SPDX-License-Identifier: MIT */
#include "guest_link.h"

static ssize_t by_symbol(const char *path, char *buf, size_t size)
{
    return readlink(path, buf, size);
}

static ssize_t by_number(const char *path, char *buf, size_t size)
{
    return syscall(SYS_readlink, path, buf, size);
}

int main(void)
{
    check_links(by_symbol);
    check_links(by_number);
    show("self", getpid());
    return guest_end();
}
