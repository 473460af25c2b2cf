/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_futex2.h"

#define NR_FUTEX_WAIT 455 /* the headers may be older than the kernel */

static long wait_by(enum door door, unsigned flags, const struct timespec *deadline, clockid_t id)
{
    return by(door, NR_FUTEX_WAIT, (long)&word, 1, UINT32_MAX, flags, (long)deadline, id);
}

int main(void)
{
    return check_futexes(wait_by);
}
