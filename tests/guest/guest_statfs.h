/* SPDX-License-Identifier: MIT */
/**
 * @file
 * For guests of the statfs family: what must hold of a file system that has a size.
 */
#ifndef DETRUN_GUEST_STATFS_H
#define DETRUN_GUEST_STATFS_H

#include "guest.h"

/** Under detrun half of one TiB is free. */
static inline void check_space(unsigned long long unit, unsigned long long blocks,
                               unsigned long long free, unsigned long long available)
{
    CHECK(available <= free && free <= blocks);
    CHECK(!under_detrun() || blocks == 0 || blocks * unit == 1ULL << 40);
    CHECK(!under_detrun() || (free == blocks / 2 && available == free));
}

static inline void check_files(unsigned long long files, unsigned long long free)
{
    CHECK(free <= files);
    CHECK(!under_detrun() || files == 0 || (files == 1ULL << 26 && free == files / 2));
}

#endif
