/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int make(char *name)
{
    return mkostemp64(name, O_CLOEXEC);
}

int main(void)
{
    makes(make, "file-XXXXXX");
    return guest_end();
}
