/* SPDX-License-Identifier: MIT */
#include "guest_device.h"

int main(void)
{
    unsigned char bytes[8] = {1};
    int device = device_open("/dev/urandom");
    int fd = device_open("/dev/zero");
    CHECK(read(fd, bytes, 8) == 8 && bytes[0] == 0);
    CHECK(dup3(device, fd, O_CLOEXEC) == fd && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    check_device(fd);
    FAILS(EINVAL, dup3(device, device, 0));
    FAILS(EINVAL, dup3(device, fd, 1));
    FAILS(EBADF, dup3(999, fd, 0));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_dup3, device, fd, 0) == fd);
        CHECK(by(door, SYS_dup3, device, device, 0) == -EINVAL);
    }
    return guest_end();
}
