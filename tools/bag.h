/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Texts of which it matters how often each is there, and not in which order.
 */
#ifndef DETRUN_TOOLS_BAG_H
#define DETRUN_TOOLS_BAG_H

#include <stdbool.h>
#include <stddef.h>

struct bag {
    char **texts;
    size_t count;
    size_t room;
    bool failed; /**< out of memory: equal to nothing */
};

void bag_add(struct bag *b, const char *text, size_t length);
bool bag_equal(struct bag *a, struct bag *b);
void bag_free(struct bag *b);

#endif
