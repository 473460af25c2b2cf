/* SPDX-License-Identifier: MIT */
#include "guest_device.h"

int main(void)
{
    unsigned char bytes[8] = {1};
    int device = device_open("/dev/urandom");
    int zero = device_open("/dev/zero");
    int fd = device_open("/dev/zero");
    CHECK(read(fd, bytes, 8) == 8);
    CHECK(dup2(device, fd) == fd);
    check_device(fd);
    CHECK(dup2(zero, fd) == fd && read(fd, bytes, 8) == 8 && bytes[0] == 0);
    CHECK(dup2(device, 5000) == 5000 || errno == EBADF);
    CHECK(dup2(device, device) == device);
    FAILS(EBADF, dup2(999, fd));
    FAILS(EBADF, dup2(device, -1));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_dup2, device, fd) == fd);
        if (door == BY_SYSCALL)
            check_device(fd);
        CHECK(by(door, SYS_dup2, 999, fd) == -EBADF);
    }
    return guest_end();
}
