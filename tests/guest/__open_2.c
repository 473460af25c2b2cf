/* SPDX-License-Identifier: MIT */
#include "guest_device.h"

/* What open becomes with _FORTIFY_SOURCE. */
extern int __open_2(const char *path, int flags);

int main(void)
{
    check_device(__open_2("/dev/urandom", O_RDONLY));
    FAILS(ENOENT, __open_2("/nonexistent", O_RDONLY));
    return guest_end();
}
