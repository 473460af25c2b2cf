/* SPDX-License-Identifier: MIT */
#include <sys/uio.h>

#include "guest_device.h"

static ssize_t reader(int fd, void *buf, size_t len)
{
    return pread(fd, buf, len, 0);
}

int main(void)
{
    check_reader(reader);
    FAILS(EINVAL, pread(device_open("/dev/urandom"), &(char){0}, 1, -1));
    unsigned char bytes[16];
    int fd = device_open("/dev/urandom");
    CHECK(by(BY_SYSCALL, SYS_pread64, fd, (long)bytes, 16) == 16);
    show_bytes("by number", bytes, 16);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_pread64, fd, (long)bytes, 16) == 16);
        CHECK(by(door, SYS_pread64, fd, (long)bad_pointer(), 16, 0) == -EFAULT);
        CHECK(by(door, SYS_pread64, -1, (long)bytes, 16, 0) == -EBADF);
    }
    return guest_end();
}
