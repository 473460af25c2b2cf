/* SPDX-License-Identifier: MIT */
#include "guest.h"

int main(void)
{
    uint32_t seen = 0;
    for (int i = 0; i < 64; i++) {
        uint32_t word = arc4random();
        seen |= word;
        if (i < 8)
            show("word", word);
    }
    CHECK(seen == UINT32_MAX);
    return guest_end();
}
