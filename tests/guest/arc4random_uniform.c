/* SPDX-License-Identifier: MIT */
#include "guest.h"

int main(void)
{
    static const uint32_t bounds[] = {2, 3, 1000, 1U << 31, (1U << 31) + 1, UINT32_MAX};
    CHECK(arc4random_uniform(0) == 0 && arc4random_uniform(1) == 0);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 8; k++) {
            uint32_t word = arc4random_uniform(bounds[i]);
            CHECK(word < bounds[i]);
            show("word", word);
        }
    return guest_end();
}
