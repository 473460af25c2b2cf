/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The settings of one run: command line over environment over --config file over defaults.
 */
#ifndef DETRUN_LAUNCHER_OPTIONS_H
#define DETRUN_LAUNCHER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "detrun/abi.h"
#include "network.h"
#include "profile.h"
#include "seed.h"

enum seed_source { SEED_FROM_CLI, SEED_FROM_ENV, SEED_FROM_DEFAULT, SEED_FROM_FRESH };

extern const char *const network_names[NETWORKS];

/** What the command line asks for besides a run. */
enum options_action { OPTIONS_RUN, OPTIONS_UNTOUCHED, OPTIONS_HELP, OPTIONS_VERSION };

#define OPTIONS_WORDS 64

/** Texts of an option that may be given more than once. */
struct options_words {
    unsigned count;
    const char *texts[OPTIONS_WORDS];
};

struct options {
    enum options_action action;
    char **command; /**< argv of the command, NULL-terminated */
    struct job_seed seed;
    enum seed_source seed_source;
    const char *test_name;
    const char
        *lineage; /**< the command's place in a job on other machines; NULL: it is the first */
    uint64_t test_seed;
    uint64_t step_ns;
    uint64_t mono_step_ns;
    int64_t epoch_ns;
    bool epoch_relative; /**< given as now, +30d: the repeating command needs the number */
    uint32_t real;
    char real_anyway[64]; /**< sources given with --real that are real without it, too */
    uint64_t timeout_ns;  /**< 0: none */
    char no_follow[DETRUN_NO_FOLLOW_SIZE]; /**< patterns separated by colons */
    bool job_clock;                        /**< one clock for the whole job */
    bool wait_real;                        /**< time-outs take their time */
    bool no_supervisor;
    bool strict;
    bool trap_open;
    bool trap_getdents;
    bool verbose;
    bool quiet;
    const char *summary;
    const char *record;
    const char *trace;
    uint64_t record_limit; /**< bytes; 0: none */
    const char *redact;
    const char *on_failure;
    uint64_t skip_status;
    uint64_t max_examples; /**< 0: not given */
    uint64_t iteration;    /**< of the program's own, to be run alone; 0: all */
    uint64_t run_number;   /**< of several; 0: the only one */
    enum network network;
    uint64_t cpus; /**< processors that the job sees; 0: the machine's */
    struct options_words labels;
    struct options_words inputs;
    struct options_words exports;
    struct options_words set;
    struct options_words unset;
    enum profile profile;
    bool subst;
    bool step_from_environment; /**< perhaps the one of a job around this one */
    bool mono_step_given;
    char error[1024]; /**< one line, when options_parse fails */
};

/** @return 0, or -EINVAL with the reason in o->error: nothing was started. */
int options_parse(struct options *o, int argc, char **argv);

void options_print_help(FILE *out);

/** One that was given, by name; NULL: none. */
const char *options_that_need_supervisor(const struct options *o);

/** What holds without any option. */
void options_set_defaults(struct options *o);

/** The base name of a command, in a place of its own. */
const char *options_default_test_name(const char *command);

/** A word as shells read it, so that it can be copied from a terminal. */
void options_print_quoted(FILE *out, const char *word);

/** The command line that repeats a run with a fresh seed, quoted for a shell. */
void options_print_repeat(FILE *out, const struct options *o, char **argv);

extern const char *const seed_source_names[];

#endif
