/* SPDX-License-Identifier: MIT */
#include "guest_device.h"
#include "guest_procfs.h"

/* What open becomes with _FORTIFY_SOURCE. */
extern int __open_2(const char *path, int flags);

static int by_symbol(const char *path)
{
    int fd = __open_2(path, O_RDONLY);
    return fd < 0 ? fd : close(fd);
}

int main(void)
{
    check_device(__open_2("/dev/urandom", O_RDONLY));
    FAILS(ENOENT, __open_2("/nonexistent", O_RDONLY));
    check_proc_paths(by_symbol);
    return guest_end();
}
