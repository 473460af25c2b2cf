/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    errno = 0;
    const char *name = getlogin();
    CHECK(name ? name[0] != '\0' : errno != 0);
    if (under_detrun())
        CHECK(!name && errno == ENXIO);
    return guest_end();
}
