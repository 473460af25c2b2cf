/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_TOOLS_VERIFY_H
#define DETRUN_TOOLS_VERIFY_H

#include "channels.h"
#include "conditions.h"
#include "plan.h"
#include "report_runs.h"

struct verify {
    struct plan plan; /**< first */
    const char *expect;
    const char *reason;
    bool write;
    bool update;
    int expected; /**< 1: all was as expected, 0: not, -1: nothing was to be compared */

    struct conditions conditions;
    struct channels channels;
    struct report_runs report;
};

#endif
