/* SPDX-License-Identifier: MIT */
#include "guest_device.h"

int main(void)
{
    int device = device_open("/dev/urandom");
    int writable = open("/dev/urandom", O_WRONLY);
    int file = memfd_create("out", 0);
    int ends[2];
    static char bytes[1 << 17];
    off64_t offset = 7;
    CHECK(file >= 0 && pipe(ends) == 0);
    ssize_t sent = splice(device, NULL, ends[1], NULL, 1 << 20, 0);
    CHECK(sent > 0 && read(ends[0], bytes, sizeof(bytes)) == sent);
    show_bytes("spliced", bytes, 16);
    CHECK(splice(device, &offset, ends[1], NULL, 100, SPLICE_F_MOVE) == 100 && offset == 7);
    CHECK(read(ends[0], bytes, sizeof(bytes)) == 100);
    show_bytes("spliced", bytes, 100);
    CHECK(splice(device, NULL, ends[1], NULL, 0, 0) == 0);
    FAILS(EINVAL, splice(device, NULL, file, NULL, 1, 0));
    FAILS(ESPIPE, splice(device, NULL, ends[1], &offset, 1, 0));
    FAILS(EINVAL, splice(device, NULL, ends[1], NULL, 1, 64));
    FAILS(EBADF, splice(writable, NULL, ends[1], NULL, 1, 0));
    FAILS(EBADF, splice(device, NULL, ends[0], NULL, 1, 0));
    FAILS(EFAULT, splice(device, bad_pointer(), ends[1], NULL, 1, 0));
    offset = -1;
    FAILS(EINVAL, splice(device, &offset, ends[1], NULL, 1, 0));
    /* A full pipe does not block who asked not to wait. */
    while (splice(device, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK) > 0)
        ;
    CHECK(errno == EAGAIN);
    return guest_end();
}
