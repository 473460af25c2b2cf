/* SPDX-License-Identifier: MIT */
#include "guest_device.h"

/* The number comes back as another file each time, closed through every door. */
static void check_reuse(int (*close_it)(int fd))
{
    unsigned char bytes[8] = {1};
    int fd = device_open("/dev/zero");
    CHECK(read(fd, bytes, 8) == 8 && bytes[0] == 0 && close_it(fd) == 0);
    CHECK(device_open("/dev/urandom") == fd);
    check_device(fd);
    CHECK(close_it(fd) == 0);
    CHECK(device_open("/dev/zero") == fd);
    CHECK(read(fd, bytes, 8) == 8 && bytes[0] == 0 && close_it(fd) == 0);
}

static int by_syscall(int fd)
{
    return (int)by(BY_SYSCALL, SYS_close, fd);
}

int main(void)
{
    check_reuse(close);
    check_reuse(by_syscall);
    FAILS(EBADF, close(-1));
    FAILS(EBADF, close(999));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_close, -1) == -EBADF);
        CHECK(by(door, SYS_close, device_open("/dev/urandom")) == 0);
    }
    return guest_end();
}
