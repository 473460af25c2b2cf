/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_TOOLS_VERIFY_H
#define DETRUN_TOOLS_VERIFY_H

#include "channels.h"
#include "conditions.h"
#include "plan.h"

struct verify {
    struct plan plan; /**< first */
    const char *expect;
    const char *reason;
    bool write;
    bool update;

    struct conditions conditions;
    struct channels channels;
};

#endif
