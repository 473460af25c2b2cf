/* SPDX-License-Identifier: MIT */
#include "guest_device.h"

int main(void)
{
    int fd = device_open("/dev/urandom");
    check_device(dup(fd));
    CHECK(close(fd) == 0);
    FAILS(EBADF, dup(-1));
    FAILS(EBADF, dup(999));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        check_device((int)by(door, SYS_dup, device_open("/dev/urandom")));
        CHECK(by(door, SYS_dup, -1) == -EBADF);
    }
    return guest_end();
}
