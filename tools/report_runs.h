/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The report of many runs of one command: a row for each, what they left as columns.
 */
#ifndef DETRUN_TOOLS_REPORT_RUNS_H
#define DETRUN_TOOLS_REPORT_RUNS_H

#include "channels.h"
#include "report.h"

struct report_runs {
    struct report page;
    const struct plan *plan;
    const struct channels *channels;
    const char *lanes[2]; /**< names of runs that are not of one command; NULL: they are */
    uint64_t first;       /**< number of the run that others are compared with */
    bool first_failed;
    struct job_seed seed; /**< of the run that differs from it, or its own */
    json_t *coverage[2];
    struct report_stage stages[CHANNELS_MAX];
};

/** Where plan->report names a folder; else it, and all below, does nothing. @return 0, or -1 after
 * a message */
int report_runs_open(struct report_runs *r, const struct plan *p, const struct channels *c);

/** A run that the channels have taken. */
void report_runs_take(struct report_runs *r, const struct iteration *i);

/** @param text  what the runs together say; or NULL. @return 0, or -1 after a message */
int report_runs_close(struct report_runs *r, const char *verdict, const char *text);

#endif
