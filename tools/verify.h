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

    struct conditions conditions;
    struct channels channels;
    struct report_runs report;
};

#endif
