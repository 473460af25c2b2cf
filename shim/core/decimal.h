/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Numbers in text.
 */
#ifndef DETRUN_CORE_DECIMAL_H
#define DETRUN_CORE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

#define DECIMAL_MAX 10 /**< digits of an int */

/** @return how many digits were written */
static inline size_t decimal_put(char *text, unsigned number)
{
    char digits[DECIMAL_MAX];
    size_t n = 0;
    for (bool more = true; more; more = (number /= 10) > 0)
        digits[n++] = (char)('0' + number % 10);
    for (size_t i = 0; i < n; i++)
        text[i] = digits[n - 1 - i];
    return n;
}

/** @return how many digits there are at the start of n bytes; their value, at most nine of them */
static inline size_t decimal_get(const char *text, size_t n, int *number)
{
    size_t digits = 0;
    *number = 0;
    for (; digits < n && digits < DECIMAL_MAX - 1; digits++) {
        if (text[digits] < '0' || text[digits] > '9')
            break;
        *number = *number * 10 + (text[digits] - '0');
    }
    return digits;
}

#endif
