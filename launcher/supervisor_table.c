/* SPDX-License-Identifier: MIT */
/*
 * From call number to answer function, derived from calls.def: a row without function is one that
 * is not trapped (a test checks that each trapped row has one).
 */
#include <stddef.h>

#include "detrun/calls_numbers.h"
#include "detrun/trace.h"
#include "supervisor.h"

#define CALL(name, ...) extern __attribute__((weak)) long answer_##name(struct question *q);
#define CALL_KERNEL     CALL
#define CALL_NOTIFY     CALL
#include "detrun/calls.def"

static const struct supervisor_row rows[] = {
#define CALL(name, ret, n, args, doors, id, ...)                                                   \
    [SYS_##name] = {answer_##name, DETRUN_##id, TRACE_CALL_##name},
#define CALL_KERNEL CALL
#define CALL_NOTIFY CALL
#include "detrun/calls.def"
};

const struct supervisor_row *supervisor_row(int number)
{
    if (number < 0 || (size_t)number >= sizeof(rows) / sizeof(rows[0]))
        return NULL;
    return &rows[number];
}
