/* SPDX-License-Identifier: MIT */
#include <sys/uio.h>

#include "guest_device.h"
#include "guest_signalfd.h"

static ssize_t reader(int fd, void *buf, size_t len)
{
    return read(fd, buf, len);
}

int main(void)
{
    check_reader(reader);
    check_signalfd(reader);
    unsigned char bytes[16];
    int fd = device_open("/dev/urandom");
    CHECK(by(BY_SYSCALL, SYS_read, fd, (long)bytes, 16) == 16);
    show_bytes("by number", bytes, 16);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_read, fd, (long)bytes, 16) == 16);
        CHECK(by(door, SYS_read, fd, (long)bad_pointer(), 16) == -EFAULT);
        CHECK(by(door, SYS_read, -1, (long)bytes, 16) == -EBADF);
    }
    return guest_end();
}
