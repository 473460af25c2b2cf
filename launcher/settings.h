/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The texts of all settings, gathered from command line, environment and file, not yet read.
 */
#ifndef DETRUN_LAUNCHER_SETTINGS_H
#define DETRUN_LAUNCHER_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

/** In the order in which they are read. */
enum setting {
    SETTING_ENCODING,
    SETTING_SEED,
    SETTING_TEST_NAME,
    SETTING_LINEAGE,
    SETTING_STEP,
    SETTING_MONO_STEP,
    SETTING_CLOCK_SCOPE,
    SETTING_WAIT,
    SETTING_EPOCH,
    SETTING_REAL,
    SETTING_NO_FOLLOW,
    SETTING_TIMEOUT,
    SETTING_SUMMARY,
    SETTING_RECORD,
    SETTING_RECORD_LIMIT,
    SETTING_TRACE,
    SETTING_LABEL,
    SETTING_INPUT,
    SETTING_REDACT,
    SETTING_ON_FAILURE,
    SETTING_SKIP_STATUS,
    SETTING_MAX_EXAMPLES,
    SETTING_ITERATION,
    SETTING_RUN,
    SETTING_PROFILE,
    SETTING_CPUS,
    SETTING_NETWORK,
    SETTING_SET,
    SETTING_UNSET,
    SETTING_SUBST,
    SETTING_EXPORT,
    SETTING_CONFIG,
    SETTING_NO_SUPERVISOR,
    SETTING_STRICT,
    SETTING_TRAP_OPEN,
    SETTING_TRAP_GETDENTS,
    SETTING_VERBOSE,
    SETTING_QUIET,
    SETTING_VERSION,
    SETTING_HELP,
    SETTINGS
};

/** The stronger the later. */
enum setting_origin { ORIGIN_NONE, ORIGIN_FILE, ORIGIN_ENVIRONMENT, ORIGIN_COMMAND_LINE };

struct setting_text {
    const char *text;
    const char *name; /**< as the user wrote it: --seed, E2E_SEED */
    enum setting_origin origin;
};

/** Of a setting that may be given more than once, in the order in which they were read. */
struct setting_list {
    struct setting_text *texts;
    unsigned count;
};

struct settings {
    struct setting_text texts[SETTINGS];
    struct setting_list lists[SETTINGS];
    int command_index;          /**< of the command in argv */
    char *file_text;            /**< what the texts of ORIGIN_FILE point into */
    char *line_names[SETTINGS]; /**< and their names */
};

/** How many words an option takes, itself among them; 0: it is none. */
int settings_words(const char *word);

#define STEP_MAX_MS (UINT64_C(366) * 86400 * 1000)

/** All return 0 or -EINVAL, with one line in error. */
int settings_from_command_line(struct settings *s, int argc, char **argv, char *error, size_t room);
void settings_from_environment(struct settings *s);
int settings_from_file(struct settings *s, char *error, size_t room);

#endif
