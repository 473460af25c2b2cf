/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int make(char *name)
{
    return mkstemp64(name);
}

int main(void)
{
    makes(make, "file-XXXXXX");
    return guest_end();
}
