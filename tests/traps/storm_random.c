/* SPDX-License-Identifier: MIT */
/* A handler takes random bytes while it interrupts a taking of random bytes: none come twice. */
#include "storm.h"

#define MOST 400000

static struct block *blocks;
static _Atomic unsigned taken;

static void take_block(void)
{
    unsigned at = taken++;
    if (at < MOST)
        blocks[at] = random_block();
}

/* Lengths that cross the borders of whatever the bytes are made in. */
static void take_odd(void)
{
    static unsigned char bytes[1024];
    CHECK(getrandom(bytes, 1 + (size_t)storm_signals * 37 % sizeof(bytes), 0) > 0);
    take_block();
}

int main(void)
{
    blocks = calloc(MOST, sizeof(*blocks));
    CHECK(blocks != NULL);
    storm_begin(take_odd, 50);
    while (storm_signals < 1000) {
        take_block();
        take_odd();
    }
    storm_end();
    check_distinct(blocks, taken < MOST ? taken : MOST);
    return guest_end();
}
