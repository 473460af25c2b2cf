/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int make(char *name)
{
    return mkostemps(name, 2, O_CLOEXEC);
}

int main(void)
{
    makes(make, "file-XXXXXX.c");
    return guest_end();
}
