/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    char name[65];
    memset(name, 'x', sizeof(name));
    CHECK(getdomainname(name, sizeof(name)) == 0);
    if (under_detrun())
        CHECK(strcmp(name, "(none)") == 0);
    char *small = guarded(3);
    CHECK(getdomainname(small, 3) == 0 && memcmp(small, name, 3) == 0 && guard_holds(small));
    return guest_end();
}
