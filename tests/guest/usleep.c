/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_wait.h"

static int libc_sleep(int ms)
{
    return usleep((useconds_t)ms * 1000);
}

int main(void)
{
    check_timeouts(libc_sleep);
    check_interrupted(libc_sleep);
    return guest_end();
}
