/* SPDX-License-Identifier: MIT */
#include "guest.h"

int main(void)
{
    unsigned char bytes[16];
    CHECK(syscall(SYS_getpid) == getpid() && syscall(SYS_gettid) == gettid());
    CHECK(syscall(SYS_getppid) == getppid() && syscall(SYS_getuid) == getuid());
    CHECK(syscall(SYS_getrandom, bytes, 16, 0) == 16);
    show_bytes("random", bytes, 16);
    show("time", syscall(SYS_time, NULL));
    show("pid", syscall(SYS_getpid));
    FAILS(ENOSYS, syscall(9999));
    FAILS(ENOSYS, syscall(-1));
    FAILS(EBADF, syscall(SYS_write, -1, "x", 1));
    /* Six arguments arrive, and a result that looks like an address is one. */
    char *page = (char *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    page[0] = 1;
    CHECK(syscall(SYS_munmap, page, 4096) == 0);
    return guest_end();
}
