/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The words of a subcommand.
 */
#ifndef DETRUN_TOOLS_WORDS_H
#define DETRUN_TOOLS_WORDS_H

#include <stdbool.h>

/** Either text or flag. */
struct word_option {
    const char *name; /**< without its dashes */
    const char **text;
    bool *flag;
};

/** What a subcommand takes; the last option has no name. */
struct words {
    const char *usage; /**< one line, or more for --help */
    const struct word_option *options;
    bool helped; /**< out: help was asked for and given, and nothing else is to be done */
};

/**
 * Take options where they stand, until "--".
 * @param words  what is none is moved to their beginning
 * @return how many words there are then; -1: said what is wrong, or helped
 */
int words_take(struct words *w, char **words);

/** A word is wrong: the first line of the usage. @return COMMAND_USAGE */
int words_usage(const struct words *w);

/** --format. @return false: said that it is neither text nor json */
bool words_format(const char *format, bool *json);

#endif
