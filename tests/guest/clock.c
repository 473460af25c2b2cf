/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    clock_t first = clock();
    CHECK(first != (clock_t)-1);
    CHECK(clock() >= first);
    show("clock", first);
    return guest_end();
}
