/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int now(void)
{
    return utimes("old", NULL);
}

static int set(void)
{
    struct timeval times[2] = {{.tv_sec = 978307200}, {.tv_sec = 978307200}};
    return utimes("old", times);
}

int main(void)
{
    touches(now, set);
    FAILS(ENOENT, utimes("nothing", NULL));
    return guest_end();
}
