/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The report of a comparison of two files or folders: both as rows, their stages as columns.
 */
#ifndef DETRUN_TOOLS_REPORT_DIFF_H
#define DETRUN_TOOLS_REPORT_DIFF_H

#include "report.h"

#define REPORT_DIFF_STAGES 4096

struct report_diff {
    struct report page;
    struct report_stage stages[REPORT_DIFF_STAGES];
    struct artifact kept[REPORT_DIFF_STAGES][2];
};

/** @param folder  NULL: no report, and what is below does nothing. @return 0, or -1 after a message
 */
int report_diff_open(struct report_diff *r, const char *folder);

/** One more stage; takes over what it keeps of both sides. */
void report_diff_take(struct report_diff *r, const char *name, struct artifact sides[2],
                      const struct comparison *how, enum level level);

/** @param words  all that diff was given. @return 0, or -1 after a message */
int report_diff_close(struct report_diff *r, const char *const names[2], enum level level,
                      const char *words);

/** The same of two traces. @param status  of diff */
int report_diff_traces(struct report_diff *r, const struct trace_comparison *c, int status,
                       const char *words);

#endif
