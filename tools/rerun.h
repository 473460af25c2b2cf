/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A recorded failure once more, and whether it was there again.
 */
#ifndef DETRUN_TOOLS_RERUN_H
#define DETRUN_TOOLS_RERUN_H

#include "options.h"
#include "recorded.h"

struct rerun {
    const struct recorded *recorded;
    struct options options; /**< of the new run */
    int argc;
    int room; /**< words that argv can have */
    char **argv;
    int records; /**< of the new run */
};

/** @return 0, or -1 after a message: the record does not say how, or it cannot be run so */
int rerun_prepare(struct rerun *r, const struct recorded *recorded);

/** @param quiet  nothing of what it reads and writes. @return 0, or -1 after a message */
int rerun_run(const struct rerun *r, bool quiet);

enum rerun_verdict { RERUN_REPRODUCED, RERUN_OTHERWISE, RERUN_NOT, RERUN_INCONCLUSIVE };

extern const char *const rerun_verdict_names[];

enum rerun_verdict rerun_judge(const struct rerun *r, char *text, size_t room);

void rerun_free(struct rerun *r);

#endif
