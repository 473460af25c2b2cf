/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        char parameters[120] = {0};
        long ring = by(door, SYS_io_uring_setup, 1, (long)parameters);
        CHECK(ring >= 0 || ring == -ENOSYS || ring == -EPERM || ring == -ENOMEM);
        CHECK(!supervised() || ring == -ENOSYS);
    }
    return guest_end();
}
