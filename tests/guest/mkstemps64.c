/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int make(char *name)
{
    return mkstemps64(name, 2);
}

int main(void)
{
    makes(make, "file-XXXXXX.c");
    return guest_end();
}
