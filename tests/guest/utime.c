/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

#include <utime.h>

static int now(void)
{
    return utime("old", NULL);
}

static int set(void)
{
    struct utimbuf times = {978307200, 978307200};
    return utime("old", &times);
}

int main(void)
{
    touches(now, set);
    FAILS(ENOENT, utime("nothing", NULL));
    return guest_end();
}
