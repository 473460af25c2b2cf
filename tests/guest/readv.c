/* SPDX-License-Identifier: MIT */
#include <sys/uio.h>

#include "guest_device.h"
#include "guest_signalfd.h"

static ssize_t reader(int fd, void *buf, size_t len)
{
    /* In two parts. */
    struct iovec parts[2] = {{.iov_base = buf, .iov_len = len / 2},
                             {.iov_base = (char *)buf + len / 2, .iov_len = len - len / 2}};
    return readv(fd, parts, 2);
}

/* The kernel gives whole records to each part. */
static ssize_t in_whole_records(int fd, void *buf, size_t len)
{
    size_t first = len >= 256 ? 128 : len;
    struct iovec parts[2] = {{.iov_base = buf, .iov_len = first},
                             {.iov_base = (char *)buf + first, .iov_len = len - first}};
    return readv(fd, parts, 2);
}

int main(void)
{
    check_reader(reader);
    check_signalfd(in_whole_records);
    static volatile int too_many = -1;
    unsigned char bytes[16];
    struct iovec part = {.iov_base = bytes, .iov_len = 16};
    int fd = device_open("/dev/urandom");
    FAILS(EINVAL, readv(fd, &part, too_many));
    FAILS(EFAULT, readv(fd, bad_pointer(), 1));
    CHECK(readv(fd, &part, 0) == 0);
    CHECK(by(BY_SYSCALL, SYS_readv, fd, (long)&part, 1) == 16);
    show_bytes("by number", bytes, 16);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_readv, fd, (long)&part, 1) == 16);
    return guest_end();
}
