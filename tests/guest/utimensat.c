/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int now(void)
{
    return utimensat(AT_FDCWD, "old", NULL, 0);
}

static int set(void)
{
    struct timespec times[2] = {{.tv_sec = 978307200}, {.tv_sec = 978307200}};
    return utimensat(AT_FDCWD, "old", times, 0);
}

int main(void)
{
    touches(now, set);
    FAILS(ENOENT, utimensat(AT_FDCWD, "nothing", NULL, 0));
    FAILS(EFAULT, utimensat(AT_FDCWD, bad_pointer(), NULL, 0));
    return guest_end();
}
