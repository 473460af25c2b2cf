/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    char name[256] = "";
    int error = getlogin_r(name, sizeof(name));
    CHECK(error >= 0 && (error != 0 || name[0] != '\0'));
    if (under_detrun())
        CHECK(error == ENXIO && name[0] == '\0');
    return guest_end();
}
