/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Where the functions of a loaded object begin and end, by its .eh_frame_hdr: the only table of
 * them that stripped objects keep. Source: Linux Standard Base, core specification, "Exception
 * Frames".
 */
#ifndef DETRUN_CORE_FUNCTIONS_H
#define DETRUN_CORE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One function in memory. */
struct function_range {
    const uint8_t *start;
    const uint8_t *end;
};

/** @return the number of the last function that begins at that byte or before it; -1: none, or the
 * table has another form than linkers give it. header: .eh_frame_hdr as it is mapped. */
int64_t functions_index(const uint8_t *header, const uint8_t *byte);

/** @return false: there is no function of that number, or it is described in an unusual way. */
bool functions_get(const uint8_t *header, int64_t index, struct function_range *range);

#endif
