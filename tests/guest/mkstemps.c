/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int make(char *name)
{
    return mkstemps(name, 2);
}

int main(void)
{
    makes(make, "file-XXXXXX.c");
    return guest_end();
}
