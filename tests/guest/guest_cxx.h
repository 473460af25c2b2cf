/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libstdc++'s random_device by its mangled names: the object is larger than any of its versions.
 */
#ifndef DETRUN_GUEST_CXX_H
#define DETRUN_GUEST_CXX_H

#include <stddef.h>

#include "guest.h"

/** std::string of the C++11 ABI, as long as it fits its own buffer. */
struct cxx_string {
    char *data;
    size_t size;
    char local[16];
};

union cxx_device {
    max_align_t align;
    char bytes[8192];
};

/* A row of values: as different as random ones are. */
static inline void check_values(unsigned (*value)(void *), union cxx_device *device)
{
    unsigned seen = 0;
    for (int i = 0; i < 64; i++) {
        unsigned word = value(device);
        seen |= word;
        if (i < 8)
            show("value", word);
    }
    CHECK(seen == UINT32_MAX);
}

#endif
