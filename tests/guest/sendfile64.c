/* SPDX-License-Identifier: MIT */
#include <sys/sendfile.h>

#include "guest_device.h"

static void show_file(int file, off_t from)
{
    unsigned char bytes[16];
    CHECK(pread(file, bytes, 16, from) == 16);
    show_bytes("sent", bytes, 16);
}

int main(void)
{
    int device = device_open("/dev/urandom");
    int writable = open("/dev/urandom", O_WRONLY);
    int file = memfd_create("out", 0);
    int ends[2];
    static char bytes[1 << 17];
    off_t offset = 5;
    CHECK(file >= 0 && pipe(ends) == 0);
    CHECK(sendfile64(file, device, NULL, 100000) == 100000);
    show_file(file, 0);
    show_file(file, 99984);
    CHECK(sendfile64(file, device, &offset, 16) == 16 && offset == 5);
    show_file(file, 100000);
    CHECK(sendfile64(file, device, NULL, 0) == 0);
    offset = -1;
    FAILS(EINVAL, sendfile64(file, device, &offset, 1));
    FAILS(EFAULT, sendfile64(file, device, bad_pointer(), 1));
    FAILS(EBADF, sendfile64(file, writable, NULL, 1));
    FAILS(EBADF, sendfile64(-1, device, NULL, 1));
    FAILS(EBADF, sendfile64(file, -1, NULL, 1));
    CHECK(fcntl(file, F_SETFL, O_APPEND) == 0);
    FAILS(EINVAL, sendfile64(file, device, NULL, 1));
    /* More than a pipe holds: as much as goes, not for ever. */
    ssize_t sent = sendfile64(ends[1], device, NULL, 1 << 20);
    CHECK(sent > 0 && sent <= (1 << 20) && read(ends[0], bytes, sizeof(bytes)) == sent);
    show_bytes("piped", bytes, 16);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        CHECK(by(door, SYS_sendfile, ends[1], device, 0, 16) == 16);
    return guest_end();
}
