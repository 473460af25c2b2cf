/* SPDX-License-Identifier: MIT */
#include "functions.h"

#include <string.h>

#define VERSION          1
#define PCREL_SDATA4     0x1b
#define UDATA4           0x03
#define DATAREL_SDATA4   0x3b
#define ENTRIES          12 /* offset of the table */
#define EXTENDED_LENGTH  UINT32_C(0xffffffff)
#define FDE_START_OFFSET 8 /* behind its length and its CIE */

static int32_t read_int(const uint8_t *at)
{
    int32_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static bool has_usual_form(const uint8_t *header)
{
    return header[0] == VERSION && header[1] == PCREL_SDATA4 && header[2] == UDATA4 &&
           header[3] == DATAREL_SDATA4;
}

static int64_t count_of(const uint8_t *header)
{
    return (uint32_t)read_int(header + 8);
}

static const uint8_t *entry(const uint8_t *header, int64_t index)
{
    return header + ENTRIES + 8 * index;
}

int64_t functions_index(const uint8_t *header, const uint8_t *byte)
{
    int64_t low = 0;
    int64_t high = has_usual_form(header) ? count_of(header) : 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (read_int(entry(header, middle)) <= byte - header)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

bool functions_get(const uint8_t *header, int64_t index, struct function_range *range)
{
    if (index < 0 || index >= count_of(header))
        return false;
    const uint8_t *fde = header + read_int(entry(header, index) + 4);
    const uint8_t *start = fde + FDE_START_OFFSET;
    range->start = header + read_int(entry(header, index));
    range->end = range->start + (uint32_t)read_int(start + 4);
    /* It is coded as usual if it says the same as the table. */
    return (uint32_t)read_int(fde) != EXTENDED_LENGTH && start + read_int(start) == range->start;
}
