/* SPDX-License-Identifier: MIT */
/**
 * @file
 * One command, many runs: what the command line of repeat, verify and soak asks for.
 */
#ifndef DETRUN_TOOLS_PLAN_H
#define DETRUN_TOOLS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

struct iteration;

struct plan {
    const char *name; /**< of the subcommand */
    const char *usage;
    uint64_t count;         /**< 0: without end */
    uint64_t jobs;          /**< runs at once */
    const char *keep;       /**< folder for the outputs, or NULL */
    const char *junit;      /**< file, or NULL */
    const char *report;     /**< folder, or NULL */
    char *given;            /**< all the words behind its name, for a shell; or NULL */
    bool json;              /**< --format */
    char **words;           /**< options for each run, NULL-terminated */
    struct options options; /**< the same, read */
    char *self;             /**< the launcher */
    bool traces;            /**< each run writes one */
    /** In the process of a run, before it becomes one; may be NULL. */
    void (*vary)(const struct iteration *i);
};

/** An option of the subcommand itself; the plan is the first member of what it sets. */
struct plan_row {
    const char *name;
    bool (*set)(struct plan *p, const char *text);
    bool is_flag;
    const char *what; /**< is to be given */
};

/** -n, --jobs, -j, --keep, --junit, --report are there for all. @return 0, -1 after a message; 1:
 * help was asked for
 */
int plan_parse(struct plan *p, char **words, const struct plan_row *rows, unsigned n);

/** Words as a shell reads them, with blanks between; NULL without memory. */
char *plan_quote(char *const *words);

bool plan_set_count(struct plan *p, const char *text);

#endif
