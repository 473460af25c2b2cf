/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

#define RESTORER 0x04000000

static int set_by_libc(int number, const struct disposition *new, struct disposition *old)
{
    struct sigaction action = {0};
    struct sigaction before;
    if (new) {
        action.sa_sigaction = new->handler;
        action.sa_flags = new->flags;
        if (new->masked)
            sigaddset(&action.sa_mask, new->masked);
    }
    if (sigaction(number, new ? &action : NULL, old ? &before : NULL) != 0)
        return -errno;
    for (int i = 1; old && i < 65; i++)
        if (sigismember(&before.sa_mask, i))
            old->masked = i;
    if (old) {
        old->handler = before.sa_sigaction;
        old->flags = before.sa_flags & ~RESTORER;
    }
    return 0;
}

int main(void)
{
    return check_setter(set_by_libc);
}
