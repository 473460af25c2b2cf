/* SPDX-License-Identifier: MIT */
#include "bag.h"

#include <stdlib.h>
#include <string.h>

void bag_add(struct bag *b, const char *text, size_t length)
{
    if (b->count == b->room) {
        size_t room = b->room ? b->room * 2 : 64;
        char **texts = reallocarray(b->texts, room, sizeof(*texts));
        b->failed = b->failed || !texts;
        if (!texts)
            return;
        b->texts = texts;
        b->room = room;
    }
    char *copy = strndup(text, length);
    b->failed = b->failed || !copy;
    if (copy)
        b->texts[b->count++] = copy;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool bag_equal(struct bag *a, struct bag *b)
{
    if (a->failed || b->failed || a->count != b->count)
        return false;
    if (a->count == 0)
        return true;
    qsort(a->texts, a->count, sizeof(*a->texts), by_text);
    qsort(b->texts, b->count, sizeof(*b->texts), by_text);
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->texts[i], b->texts[i]) != 0)
            return false;
    return true;
}

void bag_free(struct bag *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->texts[i]);
    free(b->texts);
    *b = (struct bag){0};
}
